import { useRef } from 'react';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { chosenFilesMax, type RefusedFile } from './chosen-files.ts';
import { acceptedFiles } from './file-refusal.ts';
import { fileBytesMax } from './upload-api.ts';

/**
 * File picker and drop handling. Render `input`. If all files are refused, a notification says why.
 */
export function usePicker(
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
    /** Opens the picker. `replace`: its files take the place of those that are chosen. */
    open(replace: boolean) {
      replaces.current = replace;
      ref.current?.click();
    },
    input: (
      <input
        ref={ref}
        type="file"
        accept=".csv"
        multiple
        aria-label="CSV file"
        tabIndex={-1}
        hidden
        onChange={(event) => {
          take([...(event.currentTarget.files ?? [])], replaces.current);
          replaces.current = true;
          // Without this, the same file cannot be chosen again after a correction.
          event.currentTarget.value = '';
        }}
      />
    ),
  };
}
