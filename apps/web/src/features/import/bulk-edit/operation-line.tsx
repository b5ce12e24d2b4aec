import { Select } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { ActionIcon } from '../../../ui/button.tsx';
import classes from './bulk-dialog.module.css';
import { type LineDraft, type LineInput, type LineProblems, withField } from './operation-draft.ts';
import { OperationInputs } from './operation-inputs.tsx';
import { fieldOptions, type Kind, kindOptions, type LineField } from './operation-kinds.ts';

type OperationLineProps = {
  /** Its place, from 1. */
  nth: number;
  line: LineDraft;
  headers: readonly string[];
  problems: LineProblems;
  /** It was tried to apply the lines, so every problem is shown. Before, only inputs that were left show theirs. */
  isTried: boolean;
  onChange: (line: LineDraft) => void;
  /** Null: it is the only one. */
  onRemove: (() => void) | null;
};

/** One line of a change: the field, what is done with it, and its inputs. */
export function OperationLine({ nth, line, headers, problems, isTried, ...on }: OperationLineProps) {
  const { onChange, onRemove } = on;
  const [left, setLeft] = useState<ReadonlySet<LineInput>>(new Set());
  const kinds = kindOptions(line.field);
  return (
    <fieldset className={`stack flush ${classes.line}`} aria-label={`Line ${nth}`}>
      <div className={classes.what}>
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
