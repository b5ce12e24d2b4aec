import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import { canonicalFields, isRequired, type RowField } from '@draftshelf/domain/base/canonical-fields';
import { Group, Select, type SelectProps, Skeleton, Stack, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { BodyText, PlainButton, QuietText, SmallText, SubtleButton } from '../../../ui/basics.tsx';
import { CallFailure, ReadFailure } from '../../../ui/feedback/read.tsx';
import { HintedButton } from '../../../ui/hint.tsx';
import { EditorBody, EditorDrawer, EditorFooter } from '../../../ui/overlays.tsx';
import classes from './mapping.module.css';
import { useMetafields } from './mapping-api.ts';
import { ProfileLine, Samples } from './mapping-choice.tsx';
import {
  applyDraft,
  type DraftColumn,
  groupEditorFields,
  isMultiColumnField,
  listLikelyColumns,
  type MappingDraft,
  mapField,
  resetAllColumns,
  resetColumn,
  unmapField,
} from './mapping-draft.ts';
import { describeCertainty, fieldLabel, unmappedWords } from './mapping-words.ts';

type MappingEditorProps = {
  opened: boolean;
  columns: readonly MappedColumn[] | undefined;
  reads?: ComponentProps<typeof ReadFailure>['reads'];
  save: string;
  note: string;
  /** Shown above the fields. */
  children?: ReactNode;
  saving?: boolean;
  saveError?: Error | null;
  effectOf?: (draft: MappingDraft) => ReactNode;
  onSave: (changes: MappingDraft) => void;
  onClose: () => void;
};

export function MappingEditor(props: MappingEditorProps) {
  const { opened, columns, reads = [], onClose } = props;
  const [draft, setDraft] = useState<MappingDraft>({});
  const isChanged = Object.keys(draft).length > 0;
  const discard = () => {
    setDraft({});
    onClose();
  };
  return (
    <EditorDrawer
      opened={opened}
      title="Field Mapping"
      width={680}
      unsaved={isChanged ? 'The changes to the mapping haven’t been saved.' : null}
      onClose={onClose}
      onDiscard={discard}
      onClosed={() => setDraft({})}
    >
      {(close) =>
        columns === undefined ? (
          <EditorBody>
            <ReadFailure what="the mapping" reads={reads} />
            {!reads.some(({ isError }) => isError) && <Skeleton height={520} aria-hidden />}
          </EditorBody>
        ) : (
          <Editor {...props} columns={columns} draft={draft} setDraft={setDraft} onCancel={close} />
        )
      }
    </EditorDrawer>
  );
}

type EditorProps = MappingEditorProps & {
  columns: readonly MappedColumn[];
  draft: MappingDraft;
  setDraft: (draft: MappingDraft) => void;
  onCancel: () => void;
};

function Editor({ columns, draft, setDraft, onCancel, children, ...props }: EditorProps) {
  const { save, note, saving = false, saveError = null, effectOf, onSave } = props;
  const draftColumns = applyDraft(columns, draft);
  const isChanged = Object.keys(draft).length > 0;
  const wasSet = columns.some(({ setBy }) => setBy !== null);
  const part = { columns, draftColumns, draft, onChange: setDraft };
  return (
    <>
      <EditorBody>
        <Stack gap="md">
          {children}
          <MappingFields {...part}>
            <UnmappedColumns {...part} />
          </MappingFields>
        </Stack>
      </EditorBody>
      <EditorFooter>
        <CallFailure
          error={saveError}
          title="Couldn’t change the mapping."
          otherwise="Check the import’s current status, then try again."
        />
        {effectOf?.(draft)}
        <QuietText>{note}</QuietText>
        <Group gap="xs" justify="space-between" className={classes.buttons ?? ''}>
          <HintedButton
            variant="subtle"
            reason={wasSet || isChanged ? null : 'Nothing is set. All fields are detected.'}
            onClick={() => setDraft(resetAllColumns(columns))}
          >
            Reset to Detected
          </HintedButton>
          <Group gap="xs" className={`${classes.actions} rigid`}>
            <PlainButton onClick={onCancel}>Cancel</PlainButton>
            <HintedButton
              reason={isChanged ? null : 'Change at least one field first.'}
              loading={saving}
              onClick={() => onSave(draft)}
            >
              {save}
            </HintedButton>
          </Group>
        </Group>
      </EditorFooter>
    </>
  );
}

type FieldSelectProps = Omit<SelectProps, 'onChange'> & {
  /** Fields that are already in the editor, so that they are not offered. */
  listed?: readonly RowField[];
  onField: (field: RowField) => void;
};

/** Offers the fields and metafields for a column. A metafield shows its type and description below its name. */
function FieldSelect({ listed = [], onField, ...props }: FieldSelectProps) {
  const { metafields = [] } = useMetafields() ?? {};
  const isFree = ({ value }: { value: RowField }) => !listed.includes(value);
  const fields = canonicalFields.map((field) => ({ value: field, label: fieldLabel(field) })).filter(isFree);
  const ofStore = metafields.map(({ field, name }) => ({ value: field, label: name })).filter(isFree);
  const group = { group: 'Metafields of your store', items: ofStore };
  return (
    <Select
      {...props}
      data={ofStore.length === 0 ? fields : [{ group: 'Fields', items: fields }, group]}
      renderOption={({ option: { value, label } }) => {
        const found = metafields.find(({ field }) => field === value);
        if (found === undefined) return label;
        return (
          <div className="break-words">
            {label}
            <SmallText component="div">
              {[found.type, found.description].filter(Boolean).join(' · ')}
            </SmallText>
          </div>
        );
      }}
      value={null}
      searchable
      nothingFoundMessage="No such field"
      onChange={(field) => field !== null && onField(field as RowField)}
    />
  );
}

/** Example: '3 metafields can’t be filled from a column: references, ratings, rich text, JSON and the like.' */
function LeftMetafields() {
  const left = useMetafields()?.left ?? 0;
  if (left === 0) return null;
  const words = `${countOf(left, 'metafield')} can’t be filled from a column: references, ratings, rich text, JSON and the like.`;
  return <QuietText>{words}</QuietText>;
}

/** Number of columns shown at first, because more columns would make the drawer slow to open. */
const shownAtFirst = 20;

function UnmappedColumns({ columns, draftColumns, draft, onChange }: EditorPart) {
  const [all, setAll] = useState(false);
  const unmappedColumns = draftColumns.filter(({ field }) => field === null);
  if (unmappedColumns.length === 0) return null;
  const undo = ({ header }: DraftColumn) => {
    const reset = () => onChange(resetColumn(columns, draft, header));
    const before = columns.find((saved) => saved.header === header)?.field;
    if (Object.hasOwn(draft, header) && before) changeAndFocus(before as RowField, reset);
    else reset();
  };
  const listedColumns = all ? unmappedColumns : unmappedColumns.slice(0, shownAtFirst);
  return (
    <Stack component="section" gap="xs" mt="md" aria-labelledby="unmapped-columns">
      <div>
        <Title order={4} id="unmapped-columns">
          Unmapped columns
        </Title>
        <QuietText>{unmappedWords(unmappedColumns.length)}</QuietText>
      </div>
      <ul className="list">
        {listedColumns.map((column) => {
          const { header, alternatives } = column;
          const use = (field: RowField) =>
            changeAndFocus(field, () => onChange(mapField(columns, draft, field, header)));
          return (
            <li key={header} className={`${classes.field} grid pad-y-xs line-below`}>
              <div className={`break-words strong ${classes.label}`} dir="auto">
                {header}
              </div>
              <FieldSelect
                aria-label={`Field of ${header}`}
                placeholder="Not mapped"
                maxDropdownHeight={320}
                onField={use}
              />
              <div className={`stack ${classes.details} gap-tight`}>
                <State column={column} onUndo={() => undo(column)} />
                <Samples values={column.samples} />
                {alternatives.length > 0 && (
                  <Group gap={6}>
                    <QuietText>Use as</QuietText>
                    {alternatives.map(({ field }) => (
                      <PlainButton
                        key={field}
                        size="compact-xs"
                        aria-label={`Use ${header} as ${fieldLabel(field)}`}
                        onClick={() => use(field as RowField)}
                      >
                        {fieldLabel(field)}
                      </PlainButton>
                    ))}
                  </Group>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {listedColumns.length < unmappedColumns.length && (
        <PlainButton onClick={() => setAll(true)}>
          {`Show All ${formatCount(unmappedColumns.length)} Columns`}
        </PlainButton>
      )}
    </Stack>
  );
}

/** The state of an unmapped column, if it has an override or if its field will be detected again. */
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
      <QuietText>{words}</QuietText>
      {isSet && <UndoButton {...{ header, isChanged, onUndo }} />}
    </Group>
  );
}

type UndoButtonProps = Pick<DraftColumn, 'header' | 'isChanged'> & {
  icon?: typeof IconArrowBackUp;
  onUndo: () => void;
};

const UndoButton = ({ icon, header, isChanged, onUndo }: UndoButtonProps) => (
  <SubtleButton
    size="compact-xs"
    {...(icon && { icon, iconSize: 12 })}
    aria-label={isChanged ? `Undo the change of ${header}` : `Reset ${header} to detected`}
    onClick={onUndo}
  >
    {isChanged ? 'Undo' : 'Reset'}
  </SubtleButton>
);

type EditorPart = {
  columns: readonly MappedColumn[];
  draftColumns: readonly DraftColumn[];
  draft: MappingDraft;
  onChange: (draft: MappingDraft) => void;
};

/** Runs `change`, then focuses the select of the field's column or, if the field was removed, the other fields. */
function changeAndFocus(field: RowField, change: () => void): void {
  flushSync(change);
  (document.getElementById(columnId(field)) ?? document.getElementById(otherFieldsId))?.focus();
}

const otherFieldsId = 'other-fields';
const columnId = (field: RowField) => `column-for-${field}`;

function MappingFields({ children, ...part }: EditorPart & { children: ReactNode }) {
  const [addedFields, setAddedFields] = useState<RowField[]>([]);
  const { required, matched, unused } = groupEditorFields(part.columns, part.draftColumns, addedFields);
  const list = (name: string, groupFields: readonly RowField[]) =>
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
        <FieldSelect
          id={otherFieldsId}
          className={`${classes.add} above-sm`}
          aria-label="Add another field"
          placeholder="Add another field…"
          listed={[...required, ...matched, ...unused]}
          onField={(field) => changeAndFocus(field, () => setAddedFields([...addedFields, field]))}
        />
        <LeftMetafields />
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

function FieldRow({ field, columns, draftColumns, draft, onChange }: EditorPart & { field: RowField }) {
  const own = draftColumns.filter((column) => column.field === field);
  const [first] = own;
  const isList = isMultiColumnField(field);
  const change = (next: MappingDraft) => changeAndFocus(field, () => onChange(next));
  const give = (header: string | null) => change(mapField(columns, draft, field, header));
  const label = fieldLabel(field);
  const value = isList ? null : (first?.header ?? null);
  const suggestions = isList ? [] : listLikelyColumns(draftColumns, field);
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
      <Select
        id={columnId(field)}
        aria-label={`Column for ${label}`}
        data={draftColumns.map(({ header }) => header)}
        value={value}
        placeholder={isList && first ? 'Add a column…' : 'No column'}
        searchable
        clearable={value !== null}
        clearButtonProps={{ 'aria-label': `Column for ${label}: no column`, tabIndex: 0 }}
        limit={optionsMax}
        openOnFocus={false}
        // Enter picks the first option found. The second property keeps a timer from clearing that selection.
        selectFirstOptionOnChange
        selectFirstOptionOnDropdownOpen={value === null}
        nothingFoundMessage="No such column"
        maxDropdownHeight={320}
        onFocus={(event) => event.currentTarget.select()}
        renderOption={({ option }) => (
          <Option column={draftColumns.find(({ header }) => header === option.value)} />
        )}
        onChange={(header) => header !== value && give(header)}
      />
      <div className={`stack ${classes.details} gap-tight`}>
        {own.map((column) => {
          const { header, isChanged, setBy } = column;
          const reason = reasonOf(column);
          const word = describeCertainty(column);
          return (
            <div key={header} className="stack gap-hair">
              {(own.length > 1 || isList) && (
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
                {(isChanged || setBy !== null) && (
                  <UndoButton
                    icon={IconArrowBackUp}
                    {...{ header, isChanged }}
                    onUndo={() => change(resetColumn(columns, draft, header))}
                  />
                )}
                {isList && (
                  <SubtleButton
                    size="compact-xs"
                    aria-label={`Remove ${header}`}
                    onClick={() => change(unmapField(columns, draft, header))}
                  >
                    Remove
                  </SubtleButton>
                )}
              </Group>
              <Samples values={column.samples} />
              <ProfileLine profile={column.profile} />
            </div>
          );
        })}
        {first === undefined && <NoColumn field={field} draftColumns={draftColumns} />}
        {suggestions.length > 0 && (
          <Group gap={6}>
            <QuietText>Or use</QuietText>
            {suggestions.map(({ header, samples }) => (
              <PlainButton
                key={header}
                size="compact-xs"
                maw="14rem"
                title={samples.join(' · ')}
                aria-label={`Use ${header} for ${label}`}
                onClick={() => give(header)}
              >
                <span dir="auto">{header}</span>
              </PlainButton>
            ))}
          </Group>
        )}
      </div>
    </li>
  );
}

/** Returns the reason for a column's mapping, or null if the word for the certainty already gives the reason. */
function reasonOf({ isChanged, setBy, reason, rememberedFrom }: DraftColumn): string | null {
  if (isChanged || setBy === 'operator') return null;
  if (setBy === 'memory') return rememberedFrom === null ? null : `from ${rememberedFrom}`;
  return reason;
}

function NoColumn({ field, draftColumns }: { field: RowField; draftColumns: readonly DraftColumn[] }) {
  if (field === 'sku' && draftColumns.some((column) => column.field === 'itemNumber')) {
    return <QuietText>The item number is used as the SKU.</QuietText>;
  }
  if (!isRequired(field)) return null;
  return (
    <BodyText className="inline-flex center gap-tight warning">
      <IconAlertTriangle size={14} aria-hidden /> No matching column
    </BodyText>
  );
}

/** Limits the options, because more would make the list slow. The search finds the others. */
const optionsMax = 100;

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
