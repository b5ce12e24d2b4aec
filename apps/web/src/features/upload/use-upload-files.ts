import { useEarlierImports } from '../import/index.ts';
import type { ChosenFile } from './chosen-files.ts';
import { type FileRow, fileRows, rowKey } from './file-rows.ts';
import { toUploadOf } from './file-words.ts';
import { useUploadChoices } from './upload-choices.tsx';
import { useUploadRun } from './upload-run.tsx';
import { useChosenFiles } from './use-chosen-files.ts';
import { useFocusOn } from './use-focus-on.ts';
import { usePicker } from './use-picker.tsx';

/** The files of the screen, from the choice to the result, and what can be done with them. */
export function useUploadFiles() {
  const chosen = useChosenFiles();
  const { files, dispatch } = chosen;
  const run = useUploadRun();
  const choices = useUploadChoices();
  const focus = useFocusOn();
  const earlier = useEarlierImports(hashesOf(files));
  const toUpload = toUploadOf(files, earlier);
  const picker = usePicker(toUpload.files, (taken, refused, replace) => {
    if (replace) run.clear();
    dispatch({ kind: 'choose', files: taken, refused, replace });
  });
  const rows = fileRows(files, run.uploads);
  return {
    ...{ chosen, rows, toUpload, earlier, choices, picker },
    uploads: run.uploads,
    /** The screen, whose focus this keeps on a control. */
    within: focus.within,
    start(started: readonly ChosenFile[], testMode: boolean) {
      const switches = { enableUpc: choices.upc, enableAi: choices.ai, testMode };
      const ids = run.start(
        started.map((one) => ({ file: one.file, options: { ...switches, ...chosen.sentOf(one, testMode) } })),
      );
      dispatch({ kind: 'start', uploads: new Map(started.map(({ id }, at) => [id, ids[at] as number])) });
      const [first] = started;
      if (first !== undefined) focus.on(rowKey(first.id));
    },
    /** Removes a file, aborts its upload, or removes its result. */
    remove(row: FileRow) {
      if (row.upload !== null) run.drop(row.upload.id);
      if (row.chosen !== null) dispatch({ kind: 'remove', id: row.chosen.id });
      const at = rows.indexOf(row);
      focus.on((rows[at + 1] ?? rows[at - 1])?.key ?? null);
    },
    cancel() {
      dispatch({ kind: 'clear' });
      focus.on(null);
    },
    /** Chooses other files in place of one. */
    chooseInPlaceOf(id: number) {
      dispatch({ kind: 'remove', id });
      focus.on(null);
      picker.open(false);
    },
  };
}

function hashesOf(files: readonly ChosenFile[]): string[] {
  const hashes = files.flatMap(({ checked }) => (checked?.kind === 'read' ? [checked.sha256] : []));
  return [...new Set(hashes)];
}
