import { isRequired, type RowField } from '@draftshelf/domain/base/canonical-fields';
import { createContext, type ReactNode, use } from 'react';
import type { ShownDetails } from '../imports-api.ts';
import classes from './mapping.module.css';
import { useMapping } from './mapping-api.ts';
import { MappingChip, useMappingChips } from './mapping-chip.tsx';
import { ColumnProfile, MappingChoice } from './mapping-choice.tsx';
import { fieldChipWords } from './mapping-words.ts';
import { type OnReread, rereadBlockReason, useMappingChange } from './reread-rules.tsx';

type Heads = { record: ShownDetails; chip: ReturnType<typeof useMappingChips>['chip']; isBusy: boolean };

/** Null if the import has no file, and so no columns to choose from. */
const HeadsContext = createContext<Heads | null>(null);

type FieldHeadsProps = { record: ShownDetails; onReread: OnReread; children: ReactNode };

export function FieldHeads({ record, onReread, children }: FieldHeadsProps) {
  const { chip, open, close } = useMappingChips();
  const mapping = useMapping(record.id, open !== null);
  const { pending, change } = useMappingChange(record.id, onReread);
  return (
    <HeadsContext value={record.dialect === null ? null : { record, chip, isBusy: pending !== null }}>
      {children}
      <MappingChoice
        open={open}
        columns={mapping.data?.columns}
        reads={[mapping]}
        note="Your choice re-reads the file at once. Your edits are kept, and you can restore the previous reading."
        onPick={(draft) => void change(draft)}
        onClose={close}
      />
    </HeadsContext>
  );
}

/** Fields whose columns are too narrow for a profile next to the field's name. */
const narrow: readonly RowField[] = ['image', 'quantity'];

export function FieldHead({ field }: { field: RowField }) {
  const heads = use(HeadsContext);
  return heads === null ? null : <ColumnOfField field={field} {...heads} />;
}

function ColumnOfField({ field, record, chip, isBusy }: Heads & { field: RowField }) {
  const header = record.fieldMapping[field] ?? null;
  const isMissing = header === null && isRequired(field) && !record.list?.isPartial;
  const mapping = useMapping(record.id, true);
  const column = mapping.data?.columns.find((candidate) => candidate.header === header);
  return (
    <div className={classes.line} data-missing={isMissing || undefined}>
      <div className={`${classes.head} inline-flex center wrap nowrap at-most-full`}>
        <MappingChip
          state={header !== null ? 'used' : isMissing ? 'missing' : 'unused'}
          words={fieldChipWords(field, header)}
          chip={chip({ field })}
          reason={rereadBlockReason(record)}
          busy={isBusy}
        />
        {header !== null && !narrow.includes(field) && (
          <span className={`${classes.profile} shrink`} data-profile>
            <ColumnProfile profile={column?.profile ?? null} />
          </span>
        )}
      </div>
    </div>
  );
}
