import type { Row } from '@draftshelf/contract/review/rows';
import { type CanonicalField, fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import { IconPinnedOff } from '@tabler/icons-react';
import { ActionIcon } from '../../../ui/button.tsx';
import { useFailureToast, useToast } from '../../../ui/feedback/toast.tsx';
import { useForgetting } from '../list/forgetting.ts';
import { beforeOf, yoursWords } from '../list/row-words.ts';
import { HintedWords } from './hinted-words.tsx';
import classes from './row-table.module.css';
import { useRowsReview } from './rows-review.ts';

/** What a price or quantity was in the supplier's earlier list. */
export function BeforeMark({ row, field }: { row: Row; field: string }) {
  const before = beforeOf(row, field);
  if (before === null) return null;
  const { change, was } = before;
  return (
    <span className={classes.before}>
      <HintedWords words={change} label={`${change}, ${was}`} hint={`${was} (${change})`} />
    </span>
  );
}

type YoursMarkProps = {
  row: number;
  field: CanonicalField;
  carried: NonNullable<Row['carried']>[string];
};

/** The mark of a value of an earlier list, with what the supplier says now, and a button that forgets it. */
export function YoursMark({ row, field, carried }: YoursMarkProps) {
  const { list } = useRowsReview().record;
  const forgetting = useForgetting();
  const toast = useToast();
  const failure = useFailureToast();
  const words = yoursWords(carried, list);
  const { subject } = carried;
  const supplier = list?.supplier?.id;
  const forget = (body: { subject: string; field: string }, of: number) =>
    forgetting.mutate(
      { supplier: of, body },
      {
        onSuccess: () =>
          toast({
            title: 'Forgotten',
            text: 'It stays in this list. The next one shows what the file says.',
          }),
        onError: (error) => failure.show('Couldn’t forget it', error.message),
      },
    );
  return (
    <>
      <HintedWords words="yours" label={words} hint={words} />
      {subject !== null && supplier !== undefined && !forgetting.isSuccess && (
        <ActionIcon
          size="sm"
          variant="subtle"
          className={classes.undo}
          aria-label={`Forget your ${fieldSpecs[field].label} of row ${row}`}
          title="Forget: don’t carry it into the next list"
          onClick={() => forget({ subject, field }, supplier)}
        >
          <IconPinnedOff size={14} aria-hidden />
        </ActionIcon>
      )}
    </>
  );
}
