import type { EarlierImports } from '../import/index.ts';
import { ChosenCells } from './chosen-cells.tsx';
import type { Checked, ChosenFile } from './chosen-files.ts';
import type { FileRow } from './file-rows.ts';
import { earlierOf, sameAbove } from './file-words.ts';
import classes from './files.module.css';
import { RowActions } from './row-actions.tsx';
import { RowFrame } from './row-parts.tsx';
import { UploadCells } from './upload-cells.tsx';
import { useFileChecks } from './use-file-checks.ts';

type FileListProps = {
  rows: readonly FileRow[];
  files: readonly ChosenFile[];
  /** The previewed file, and the share of it that has been read. */
  selected: { id: number; share: number } | null;
  earlier: EarlierImports;
  onChecked: (id: number, checked: Checked) => void;
  onSelect: (id: number | null) => void;
  onRemove: (row: FileRow) => void;
};

/**
 * The files, a row each, and their checks in the background. A row stays in its place while its file is checked,
 * uploaded and processed.
 */
export function FileList(props: FileListProps) {
  const { rows, files, selected, earlier, onSelect, onRemove } = props;
  const progress = useFileChecks(files, selected?.id ?? null, props.onChecked);
  const same = sameAbove(files);
  return (
    <ul className={classes.rows} aria-label="Chosen files">
      {rows.map((row) => {
        const { key, chosen, upload } = row;
        const id = upload === null ? (chosen?.id ?? null) : null;
        const isOpen = id !== null && id === selected?.id;
        return (
          <RowFrame
            key={key}
            row={row}
            toggle={id === null ? null : { isOpen, onToggle: () => onSelect(isOpen ? null : id) }}
            actions={<RowActions row={row} onRemove={() => onRemove(row)} />}
          >
            {upload !== null && <UploadCells upload={upload} />}
            {upload === null && chosen !== null && (
              <ChosenCells
                chosen={chosen}
                share={isOpen ? selected.share : (progress.get(chosen.id) ?? 0)}
                earlier={earlierOf(chosen, earlier)}
                sameAs={same.get(chosen.id) ?? null}
              />
            )}
          </RowFrame>
        );
      })}
    </ul>
  );
}
