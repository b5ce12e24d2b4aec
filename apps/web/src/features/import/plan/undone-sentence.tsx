import type { ShownImport } from '../imports-api.ts';
import { endedWords, Undone, useEndedUndo } from '../undo/undone.tsx';
import classes from './in-store.module.css';

/** That the last push was undone, with its result, once the undo has ended. */
export function UndoneSentence({ record }: { record: ShownImport }) {
  const undo = useEndedUndo(record);
  if (undo === null) return null;
  return (
    <p className={classes.sentence}>
      {endedWords(undo).sentence} <Undone undo={undo} />
    </p>
  );
}
