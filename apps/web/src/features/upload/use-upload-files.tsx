import { listFileEnds } from '@draftshelf/domain/reading/list-files';
import { useLayoutEffect, useRef, useState } from 'react';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { useEarlierImports } from '../import/index.ts';
import {
  type ChosenFile,
  chosenFilesMax,
  type FileRow,
  fileRows,
  type RefusedFile,
  rowKey,
  useChosenFiles,
} from './files/chosen-files.ts';
import { acceptedFiles, toUploadOf } from './files/file-words.ts';
import { useUploadRun } from './run/upload-run.tsx';
import { fileBytesMax } from './upload-api.ts';
import { useUploadChoices } from './upload-choices.tsx';

export function useUploadFiles() {
  const selection = useChosenFiles();
  const { files, dispatch } = selection;
  const run = useUploadRun();
  const choices = useUploadChoices();
  const focus = useFocusOn();
  const earlier = useEarlierImports(hashesOf(files));
  const toUpload = toUploadOf(files, earlier);
  const picker = usePicker(toUpload.files, (accepted, refused, replace) => {
    if (replace) run.clear();
    dispatch({ kind: 'choose', files: accepted, refused, replace });
  });
  const rows = fileRows(files, run.uploads);
  return {
    ...{ selection, rows, toUpload, earlier, choices, picker },
    uploads: run.uploads,
    /** The screen, in which the focus is kept on a control. */
    within: focus.within,
    start(toStart: readonly ChosenFile[], testMode: boolean) {
      const switches = { enableUpc: choices.upc, enableAi: choices.ai, testMode };
      const ids = run.start(
        toStart.map((fileToSend) => ({
          file: fileToSend.file,
          options: { ...switches, ...selection.sentOf(fileToSend, testMode) },
        })),
      );
      dispatch({ kind: 'start', uploads: new Map(toStart.map(({ id }, at) => [id, ids[at] as number])) });
      const [first] = toStart;
      if (first !== undefined) focus.on(rowKey(first.id));
    },
    /** Removes a file, aborts its upload, or removes its result. */
    remove(row: FileRow) {
      if (row.upload !== null) run.drop(row.upload.id);
      if (row.file !== null) dispatch({ kind: 'remove', id: row.file.id });
      const at = rows.indexOf(row);
      focus.on((rows[at + 1] ?? rows[at - 1])?.key ?? null);
    },
    cancel() {
      dispatch({ kind: 'clear' });
      focus.on(null);
    },
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

function useFocusOn() {
  const within = useRef<HTMLDivElement>(null);
  const [target, setTarget] = useState<{ key: string | null } | null>(null);
  useLayoutEffect(() => {
    if (target === null) return;
    const row =
      target.key === null ? null : within.current?.querySelector(`[data-row="${target.key}"] [data-name]`);
    const next = row ?? within.current?.querySelector('[data-choose]');
    if (next instanceof HTMLElement) next.focus();
  }, [target]);
  return {
    within,
    /** `key` null, or no such row: the button to choose files. */
    on: (key: string | null) => setTarget({ key }),
  };
}

/** Render `input`. A notification appears if all files are refused. */
function usePicker(
  chosenCount: number,
  onFiles: (files: readonly File[], refused: readonly RefusedFile[], replace: boolean) => void,
) {
  const failure = useFailureToast();
  const ref = useRef<HTMLInputElement>(null);
  const replaces = useRef(true);
  const take = (files: readonly File[], replace: boolean) => {
    const { accepted, refused, refusal } = acceptedFiles(files, {
      room: chosenFilesMax - (replace ? 0 : chosenCount),
      bytesMax: fileBytesMax(),
    });
    if (refusal === null) failure.dismiss();
    else failure.show(refusal.title, refusal.text);
    if (accepted.length > 0) onFiles(accepted, refused, replace);
  };
  return {
    take,
    /** `replace`: its files replace the chosen ones. */
    open(replace: boolean) {
      replaces.current = replace;
      ref.current?.click();
    },
    input: (
      <input
        ref={ref}
        type="file"
        accept={listFileEnds.join()}
        multiple
        aria-label="CSV file"
        tabIndex={-1}
        hidden
        onChange={(event) => {
          take([...(event.currentTarget.files ?? [])], replaces.current);
          replaces.current = true;
          // Otherwise the same file cannot be chosen again after a correction.
          event.currentTarget.value = '';
        }}
      />
    ),
  };
}
