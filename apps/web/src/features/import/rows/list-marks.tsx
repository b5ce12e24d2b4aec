import type { Row } from '@draftshelf/contract/review/rows';
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

type YoursMarkProps = { carried: NonNullable<Row['carried']>[string] };

/** The mark of a value of an earlier list, with what the supplier says now. */
export function YoursMark({ carried }: YoursMarkProps) {
  const words = yoursWords(carried, useRowsReview().record.list);
  return <HintedWords words="yours" label={words} hint={words} />;
}
