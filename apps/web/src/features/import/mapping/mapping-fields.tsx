import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import { type CanonicalField, canonicalFields } from '@draftshelf/domain/base/canonical-fields';
import { Group, Select, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { PlainButton, SubtleButton } from '../../../ui/button.tsx';
import { BodyText, QuietText, SmallText } from '../../../ui/text.tsx';
import { ProfileLine } from './column-profile.tsx';
import classes from './mapping.module.css';
import { Samples } from './mapping-choice.tsx';
import {
  type DraftColumn,
  fieldGroups,
  giveField,
  isListField,
  likelyColumns,
  type MappingDraft,
  resetColumn,
  unmapField,
} from './mapping-draft.ts';
import { fieldLabel, isRequired, sureness } from './mapping-words.ts';

export type EditorPart = {
  columns: readonly MappedColumn[];
  draftColumns: readonly DraftColumn[];
  draft: MappingDraft;
  onChange: (draft: MappingDraft) => void;
};

/** Focuses the field's column after the change, or the list of other fields if the field is gone. */
export function changeAndFocus(field: CanonicalField, change: () => void): void {
  flushSync(change);
  (document.getElementById(columnId(field)) ?? document.getElementById(otherFieldsId))?.focus();
}

const otherFieldsId = 'other-fields';
const columnId = (field: CanonicalField) => `column-for-${field}`;

export function MappingFields({ children, ...part }: EditorPart & { children: ReactNode }) {
  const [addedFields, setAddedFields] = useState<CanonicalField[]>([]);
  const { required, matched, unused } = fieldGroups(part.columns, part.draftColumns, addedFields);
  const fields = [...required, ...matched, ...unused];
  const others = canonicalFields.filter((field) => !fields.includes(field));
  const list = (name: string, groupFields: readonly CanonicalField[]) =>
    groupFields.length > 0 && (
      <ul className="list" aria-label={`${name} fields`}>
        {groupFields.map((field) => (
          <FieldRow key={field} field={field} {...part} />
        ))}
      </ul>
    );
  return (
    <>
      <FieldGroup title="Required">{list('Required', required)}</FieldGroup>
      {matched.length > 0 && <FieldGroup title="Matched">{list('Matched', matched)}</FieldGroup>}
      <FieldGroup title="Not used">
        {list('Unused', unused)}
        <Select
          id={otherFieldsId}
          className={`${classes.add} above-sm`}
          aria-label="Add another field"
          placeholder="Add another field…"
          data={others.map((field) => ({ value: field, label: fieldLabel(field) }))}
          value={null}
          searchable
          nothingFoundMessage="No such field"
          onChange={(value) => {
            const field = others.find((other) => other === value);
            if (field === undefined) return;
            changeAndFocus(field, () => setAddedFields([...addedFields, field]));
          }}
        />
        {children}
      </FieldGroup>
    </>
  );
}

const FieldGroup = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Title order={3} className={`${classes.group} line-below`}>
      {title}
    </Title>
    {children}
  </section>
);

function FieldRow({ field, columns, draftColumns, draft, onChange }: EditorPart & { field: CanonicalField }) {
  const own = draftColumns.filter((column) => column.field === field);
  const [first] = own;
  const isList = isListField(field);
  const change = (next: MappingDraft) => changeAndFocus(field, () => onChange(next));
  const give = (header: string | null) => change(giveField(columns, draft, field, header));
  const label = fieldLabel(field);
  return (
    <li className={`${classes.field} grid pad-y-xs line-below`}>
      <div className={`break-words strong ${classes.label}`}>
        {label}
        {isRequired(field) && (
          <SmallText component="span" ml={6}>
            required
          </SmallText>
        )}
      </div>
      <ColumnSelect
        id={columnId(field)}
        label={`Column for ${label}`}
        columns={draftColumns}
        value={isList ? null : (first?.header ?? null)}
        placeholder={isList && first ? 'Add a column…' : 'No column'}
        onChange={give}
      />
      <div className={`stack ${classes.details} gap-tight`}>
        {own.map((column) => (
          <ColumnLine
            key={column.header}
            column={column}
            isNamed={own.length > 1 || isList}
            onRemove={isList ? () => change(unmapField(columns, draft, column.header)) : null}
            onUndo={undoOf(column, () => change(resetColumn(columns, draft, column.header)))}
          />
        ))}
        {first === undefined && <NoColumn field={field} draftColumns={draftColumns} />}
        {!isList && <Suggestions field={field} draftColumns={draftColumns} onUse={give} />}
      </div>
    </li>
  );
}

const undoOf = ({ isChanged, setBy }: DraftColumn, undo: () => void) =>
  isChanged || setBy !== null ? undo : null;

/** Null: the word for the certainty includes the reason. */
function reasonOf({ isChanged, setBy, reason, rememberedFrom }: DraftColumn): string | null {
  if (isChanged || setBy === 'operator') return null;
  if (setBy === 'memory') return rememberedFrom === null ? null : `from ${rememberedFrom}`;
  return reason;
}

type ColumnLineProps = {
  column: DraftColumn;
  isNamed: boolean;
  onRemove: (() => void) | null;
  onUndo: (() => void) | null;
};

function ColumnLine({ column, isNamed, onRemove, onUndo }: ColumnLineProps) {
  const { header, isChanged, samples, profile } = column;
  const reason = reasonOf(column);
  const word = sureness(column);
  return (
    <div className="stack gap-hair">
      {isNamed && (
        <BodyText dir="auto" className="break-words">
          {header}
        </BodyText>
      )}
      <Group gap={6}>
        <BodyText span className={`strong ${classes.sureness}`} data-sureness={word}>
          {word}
        </BodyText>
        {reason !== null && (
          <QuietText component="span" className="break-words">
            {reason}
          </QuietText>
        )}
        {onUndo && (
          <SubtleButton
            size="compact-xs"
            leftSection={<IconArrowBackUp size={12} aria-hidden />}
            aria-label={isChanged ? `Undo the change of ${header}` : `Reset ${header} to detected`}
            onClick={onUndo}
          >
            {isChanged ? 'Undo' : 'Reset'}
          </SubtleButton>
        )}
        {onRemove && (
          <SubtleButton size="compact-xs" aria-label={`Remove ${header}`} onClick={onRemove}>
            Remove
          </SubtleButton>
        )}
      </Group>
      <Samples values={samples} />
      <ProfileLine profile={profile} />
    </div>
  );
}

function NoColumn({ field, draftColumns }: { field: CanonicalField; draftColumns: readonly DraftColumn[] }) {
  if (field === 'sku' && draftColumns.some((column) => column.field === 'itemNumber')) {
    return <QuietText>The item number is used.</QuietText>;
  }
  if (!isRequired(field)) return null;
  return (
    <BodyText className="inline-flex center gap-tight warning">
      <IconAlertTriangle size={14} aria-hidden /> No matching column
    </BodyText>
  );
}

type SuggestionsProps = {
  field: CanonicalField;
  draftColumns: readonly DraftColumn[];
  onUse: (header: string) => void;
};

function Suggestions({ field, draftColumns, onUse }: SuggestionsProps) {
  const suggestions = likelyColumns(draftColumns, field);
  if (suggestions.length === 0) return null;
  return (
    <Group gap={6}>
      <QuietText>Or use</QuietText>
      {suggestions.map(({ header, samples }) => (
        <PlainButton
          key={header}
          size="compact-xs"
          maw="14rem"
          title={samples.join(' · ')}
          aria-label={`Use ${header} for ${fieldLabel(field)}`}
          onClick={() => onUse(header)}
        >
          <span dir="auto">{header}</span>
        </PlainButton>
      ))}
    </Group>
  );
}

/** More options would make the list slow. The search finds the others. */
const optionsMax = 100;

type ColumnSelectProps = {
  id: string;
  label: string;
  columns: readonly DraftColumn[];
  value: string | null;
  placeholder: string;
  onChange: (header: string | null) => void;
};

function ColumnSelect({ id, label, columns, value, placeholder, onChange }: ColumnSelectProps) {
  const byHeader = new Map(columns.map((column) => [column.header, column]));
  return (
    <Select
      id={id}
      aria-label={label}
      data={columns.map(({ header }) => header)}
      value={value}
      placeholder={placeholder}
      searchable
      clearable={value !== null}
      clearButtonProps={{ 'aria-label': `${label}: no column`, tabIndex: 0 }}
      limit={optionsMax}
      openOnFocus={false}
      // Enter takes the first found option. Without the second property, a timer forgets it on a busy machine.
      selectFirstOptionOnChange
      selectFirstOptionOnDropdownOpen={value === null}
      nothingFoundMessage="No such column"
      maxDropdownHeight={320}
      onFocus={(event) => event.currentTarget.select()}
      renderOption={({ option }) => <Option column={byHeader.get(option.value)} />}
      onChange={(header) => header !== value && onChange(header)}
    />
  );
}

function Option({ column }: { column: DraftColumn | undefined }) {
  if (column === undefined) return null;
  const { header, field, samples } = column;
  return (
    <div className="break-words">
      <div dir="auto">{header}</div>
      <SmallText component="div" dir="auto">
        {[samples[0], field === null ? undefined : fieldLabel(field)].filter(Boolean).join(' · ')}
      </SmallText>
    </div>
  );
}
