import type { EditTarget } from '@draftshelf/contract/review/commands';
import { operationsMax } from '@draftshelf/domain/review/operations/operation';
import { Group, Select } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type RefObject, useRef, useState } from 'react';
import { ActionIcon } from '../../../ui/button.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { QuietText } from '../../../ui/text.tsx';
import classes from './bulk-dialog.module.css';
import type { ChosenRows } from './chosen-rows.ts';
import { ApplyFoot, EditPreviewPanel, useApply } from './edit-preview.tsx';
import {
  fieldOptions,
  type Kind,
  kindOptions,
  type LineDraft,
  type LineField,
  type LineInput,
  type LineProblems,
  lineProblems,
  operationOf,
  withField,
} from './operation-draft.ts';
import { OperationInputs } from './operation-inputs.tsx';
import { fixesOf, type Lines, presets } from './use-lines.ts';
import { ValuesPanel } from './values-panel.tsx';

type BulkFormProps = {
  importId: string;
  headers: readonly string[];
  onClose: () => void;
  onApplied: () => void;
  rows: ChosenRows;
  lines: Lines;
};

export function BulkForm({ importId, rows, headers, lines, onClose, onApplied }: BulkFormProps) {
  const operations = lines.all.map(operationOf);
  const complete = operations.filter((operation) => operation !== null);
  const isComplete = complete.length === operations.length;
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const applying = useApply({
    importId,
    edits: isComplete ? { target: rows.target, operations: complete } : null,
    onIncomplete: () => focusDrawn(form, '[aria-invalid="true"]'),
    onApplied: () => {
      onApplied();
      lines.drop(lines.all);
    },
    onClose,
  });
  const start = () => {
    setTried(true);
    applying.start();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut of a button below
    <div
      ref={form}
      className={`${classes.form} stack gap-0`}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
        // The field takes the key itself: it adds a tag, or chooses from its list.
        if (event.defaultPrevented) return;
        event.preventDefault();
        start();
      }}
    >
      <div className={`${classes.columns} grid`}>
        <div className={`stack ${classes.lines} gap-sm pad`}>
          <Presets {...{ lines, form }} target={rows.target} isFirst={!lines.hasOwnBeginning || isComplete} />
          <LinesOfForm {...{ lines, headers, isTried, form }} />
          <ShownValues {...{ importId, rows, lines, form }} />
        </div>
        <EditPreviewPanel preview={applying.preview} isComplete={isComplete} />
      </div>
      <ApplyFoot
        applying={applying}
        operations={complete}
        rows={rows.count}
        onStart={start}
        onClose={onClose}
      />
    </div>
  );
}

type Form = RefObject<HTMLElement | null>;

/** Waits until the change that calls for it is drawn. */
function focusDrawn(form: Form, selector: string): void {
  setTimeout(() => form.current?.querySelector<HTMLElement>(selector)?.focus());
}

type LinesProps = Pick<BulkFormProps, 'lines' | 'headers'> & {
  isTried: boolean;
  form: Form;
};

function LinesOfForm({ lines, headers, isTried, form }: LinesProps) {
  const remove = (id: number, at: number) => {
    lines.remove(id);
    focusNear(form, at);
  };
  return (
    <>
      {lines.all.map((line, at) => (
        <OperationLine
          key={line.id}
          nth={at + 1}
          line={line}
          headers={headers}
          problems={lineProblems(line)}
          isTried={isTried}
          onChange={lines.set}
          onRemove={lines.all.length === 1 ? null : () => remove(line.id, at)}
        />
      ))}
      <Group>
        <ReasonedButton
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={14} aria-hidden />}
          data-adds
          reason={lines.isFull ? tooManyLines : null}
          onClick={lines.add}
        >
          Add a Step
        </ReasonedButton>
      </Group>
    </>
  );
}

const tooManyLines = `A change has at most ${operationsMax} steps.`;

type ShownValuesProps = Pick<BulkFormProps, 'importId' | 'rows' | 'lines'> & {
  form: Form;
};

/** Ticked rows are few enough to see their values. */
function ShownValues({ importId, rows: { target, field: fieldOfIssue }, lines, form }: ShownValuesProps) {
  const last = lines.all.at(-1);
  if ('rows' in target || last === undefined || last.field === 'rows') return null;
  const { field } = last;
  const replacements = lines.all.flatMap((line) =>
    line.kind === 'map' && line.field === field ? line.values : [],
  );
  return (
    <ValuesPanel
      importId={importId}
      field={field}
      filter={target}
      isOpened={last.kind === 'map' || field === fieldOfIssue}
      replaced={replacements}
      onReplace={(values, isTyped) => {
        lines.replace(field, values);
        if (!isTyped) return;
        focusDrawn(form, `[data-replaces="${CSS.escape(values[0]?.from ?? '')}"]`);
      }}
    />
  );
}

type PresetsProps = {
  lines: Lines;
  target: EditTarget;
  /** They get the focus when the dialog opens. */
  isFirst: boolean;
  form: Form;
};

function Presets({ lines, target, isFirst, form }: PresetsProps) {
  const fixes = 'rows' in target ? [] : fixesOf(target.issue);
  return (
    <div className="row-wrap">
      <QuietText id="bulk-presets">{lines.entered === 0 ? 'Begin with' : 'Add'}</QuietText>
      <Group gap={6} role="group" aria-labelledby="bulk-presets">
        {[...fixes, ...presets].map((preset, at) => (
          <ReasonedButton
            key={preset.label}
            variant="default"
            size="compact-md"
            data-autofocus={(isFirst && at === 0) || undefined}
            reason={lines.entered + preset.lines('price').length > operationsMax ? tooManyLines : null}
            onClick={() => {
              lines.choose(preset);
              focusEntry(form);
            }}
          >
            {preset.label}
          </ReasonedButton>
        ))}
      </Group>
    </div>
  );
}

/** Focuses the remove button of the next line, or the button that adds lines, once the lines are drawn. */
function focusNear(form: Form, at: number): void {
  setTimeout(() => {
    const removing = form.current?.querySelectorAll<HTMLElement>('[data-removes]') ?? [];
    const near = removing[at] ?? removing[removing.length - 1];
    (near ?? form.current?.querySelector<HTMLElement>('[data-adds]'))?.focus();
  });
}

/** Focuses the first empty input after a preset, once the lines are drawn. */
function focusEntry(form: Form): void {
  setTimeout(() => {
    const entries = [...(form.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
    const empty = entries.find((entry) => entry instanceof HTMLInputElement && entry.value === '');
    (empty ?? entries[0])?.focus();
  });
}

type OperationLineProps = {
  nth: number;
  line: LineDraft;
  headers: readonly string[];
  problems: LineProblems;
  /** Shows every problem. Before, only inputs that were left show theirs. */
  isTried: boolean;
  onChange: (line: LineDraft) => void;
  /** Null: it is the only one. */
  onRemove: (() => void) | null;
};

function OperationLine({ nth, line, headers, problems, isTried, ...on }: OperationLineProps) {
  const { onChange, onRemove } = on;
  const [left, setLeft] = useState<ReadonlySet<LineInput>>(new Set());
  const kinds = kindOptions(line.field);
  return (
    <fieldset className="stack flush framed pad-sm surface-quiet" aria-label={`Line ${nth}`}>
      <div className={`grid gap-xs ${classes.what}`}>
        <Select
          aria-label={`Field of line ${nth}`}
          data={fieldOptions}
          value={line.field}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No field has this name."
          onChange={(field) => field !== null && onChange(withField(line, field as LineField))}
        />
        <Select
          aria-label={`What line ${nth} does`}
          data={kinds}
          value={line.kind}
          allowDeselect={false}
          maxDropdownHeight={320}
          onChange={(kind) => kind !== null && onChange({ ...line, kind: kind as Kind })}
        />
        {onRemove !== null && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={`Remove line ${nth}`}
            title="Remove this line"
            data-removes
            onClick={onRemove}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <OperationInputs
        nth={nth}
        line={line}
        headers={headers}
        problemOf={(input) => (isTried || left.has(input) ? problems[input] : undefined)}
        onLeave={(input) => setLeft(new Set([...left, input]))}
        onChange={onChange}
      />
    </fieldset>
  );
}
