import { type CanonicalField, canonicalFields } from '@draftshelf/domain/base/canonical-fields';
import { Group, Select, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { type DraftColumn, giveField, resetColumn } from './mapping-draft.ts';
import classes from './mapping-editor.module.css';
import { changeAndFocus, type EditorPart } from './mapping-fields.tsx';
import { fieldLabel, unmappedWords } from './mapping-words.ts';
import { Samples } from './samples.tsx';

const fieldOptions = canonicalFields.map((field) => ({ value: field, label: fieldLabel(field) }));
/** More would make the drawer slow to open. */
const shownAtFirst = 20;

/** The columns without a field, each with samples and the fields that it may hold. */
export function UnmappedColumns({ columns, draftColumns, draft, onChange }: EditorPart) {
  const [all, setAll] = useState(false);
  const unmappedColumns = draftColumns.filter(({ field }) => field === null);
  if (unmappedColumns.length === 0) return null;
  const undo = ({ header }: DraftColumn) => {
    const reset = () => onChange(resetColumn(columns, draft, header));
    const before = columns.find((saved) => saved.header === header)?.field;
    if (Object.hasOwn(draft, header) && before) changeAndFocus(before as CanonicalField, reset);
    else reset();
  };
  const listedColumns = all ? unmappedColumns : unmappedColumns.slice(0, shownAtFirst);
  return (
    <Stack component="section" gap="xs" mt="md" aria-labelledby="unmapped-columns">
      <div>
        <Title order={4} id="unmapped-columns">
          Unmapped columns
        </Title>
        <Text size="sm" c="dimmed">
          {unmappedWords(unmappedColumns.length)}
        </Text>
      </div>
      <ul className="list">
        {listedColumns.map((column) => (
          <UnmappedRow
            key={column.header}
            column={column}
            onUse={(field) =>
              changeAndFocus(field, () => onChange(giveField(columns, draft, field, column.header)))
            }
            onUndo={() => undo(column)}
          />
        ))}
      </ul>
      {listedColumns.length < unmappedColumns.length && (
        <Button variant="default" onClick={() => setAll(true)}>
          {`Show All ${formatCount(unmappedColumns.length)} Columns`}
        </Button>
      )}
    </Stack>
  );
}

type UnmappedRowProps = {
  column: DraftColumn;
  onUse: (field: CanonicalField) => void;
  onUndo: () => void;
};

function UnmappedRow({ column, onUse, onUndo }: UnmappedRowProps) {
  const { header, samples, alternatives } = column;
  return (
    <li className={`${classes.field} pad-y-xs line-below`}>
      <div className={`break-words strong ${classes.label}`} dir="auto">
        {header}
      </div>
      <Select
        aria-label={`Field of ${header}`}
        placeholder="Not mapped"
        data={fieldOptions}
        value={null}
        searchable
        nothingFoundMessage="No such field"
        maxDropdownHeight={320}
        onChange={(field) => field !== null && onUse(field as CanonicalField)}
      />
      <div className={`stack ${classes.details}`}>
        <State column={column} onUndo={onUndo} />
        <Samples values={samples} />
        {alternatives.length > 0 && (
          <Group gap={6}>
            <Text size="sm" c="dimmed">
              Use as
            </Text>
            {alternatives.map(({ field }) => (
              <Button
                key={field}
                size="compact-xs"
                variant="default"
                aria-label={`Use ${header} as ${fieldLabel(field)}`}
                onClick={() => onUse(field as CanonicalField)}
              >
                {fieldLabel(field)}
              </Button>
            ))}
          </Group>
        )}
      </div>
    </li>
  );
}

/** Reason for a column without a field, if somebody decided it or it is not decided yet. */
function State({ column, onUndo }: { column: DraftColumn; onUndo: () => void }) {
  const { header, isOpen, isChanged, setBy, rememberedFrom } = column;
  const isSet = isChanged || setBy !== null;
  if (!isOpen && !isSet) return null;
  const words = isOpen
    ? 'Matched again when you save.'
    : isChanged || setBy === 'operator'
      ? 'Set by you: no field.'
      : `Remembered from ${rememberedFrom ?? 'an earlier file'}: no field.`;
  return (
    <Group gap={6}>
      <Text size="sm" c="dimmed">
        {words}
      </Text>
      {isSet && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={isChanged ? `Undo the change of ${header}` : `Reset ${header} to detected`}
          onClick={onUndo}
        >
          {isChanged ? 'Undo' : 'Reset'}
        </Button>
      )}
    </Group>
  );
}
