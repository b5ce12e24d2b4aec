import { canDo } from '@draftshelf/domain/imports/import-status';
import { IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { importPath, needsYouPath } from '../../../lib/paths.ts';
import { Button, IconButton, PlainButton } from '../../../ui/button.tsx';
import { useReportPath } from '../../../ui/hooks.ts';
import type { EarlierImports, OpenedImport } from '../../import/index.ts';
import { useImportNow, useUploadRun } from '../run/upload-run.tsx';
import type { Upload } from '../run/uploads.ts';
import classes from '../upload.module.css';
import { useFileChecks } from '../use-file-checks.ts';
import type { Checked, ChosenFile, FileRow } from './chosen-files.ts';
import { ChosenCells, RowFrame, UploadCells } from './file-cells.tsx';
import { earlierOf, sameAbove } from './file-words.ts';

type FileListProps = {
  rows: readonly FileRow[];
  files: readonly ChosenFile[];
  /** `share`: the part that has been read, 0 to 1. */
  selected: { id: number; share: number } | null;
  earlier: EarlierImports;
  onChecked: (id: number, checked: Checked) => void;
  onSelect: (id: number | null) => void;
  onRemove: (row: FileRow) => void;
};

/** Checks the files in the background. A row stays in its place while its file is checked, uploaded and processed. */
export function FileList(props: FileListProps) {
  const { rows, files, selected, earlier, onSelect, onRemove } = props;
  const progress = useFileChecks(files, selected?.id ?? null, props.onChecked);
  const sameNames = sameAbove(files);
  return (
    <ul className={`list ${classes.rows}`} aria-label="Chosen files">
      {rows.map((row) => {
        const { key, file, upload } = row;
        const id = upload === null ? (file?.id ?? null) : null;
        const isOpen = id !== null && id === selected?.id;
        return (
          <RowFrame
            key={key}
            row={row}
            toggle={id === null ? null : { isOpen, onToggle: () => onSelect(isOpen ? null : id) }}
            actions={<RowActions row={row} onRemove={() => onRemove(row)} />}
          >
            {upload !== null && <UploadCells upload={upload} />}
            {upload === null && file !== null && (
              <ChosenCells
                file={file}
                share={isOpen ? selected.share : (progress.get(file.id) ?? 0)}
                earlier={earlierOf(file, earlier)}
                sameAs={sameNames.get(file.id) ?? null}
              />
            )}
          </RowFrame>
        );
      })}
    </ul>
  );
}

function RowActions({ row, onRemove }: { row: FileRow; onRemove: () => void }) {
  const { uploads, retry } = useUploadRun();
  const { name, upload } = row;
  switch (upload?.phase) {
    case undefined:
      return <RemoveButton label={`Remove ${name}`} onClick={onRemove} />;
    case 'waiting':
      return <RemoveButton label={`Cancel Upload of ${name}`} onClick={onRemove} />;
    case 'sending':
      // Once all is sent, the import may exist.
      if (upload.sent.whole) return null;
      return <RemoveButton label={`Cancel Upload of ${name}`} onClick={onRemove} />;
    case 'processing':
      return null;
    case 'ended':
      return (
        <>
          <NextLink upload={upload} isOnly={uploads.length === 1} />
          <RemoveButton label={`Remove ${name} from This List`} onClick={onRemove} />
        </>
      );
    case 'failed':
      return (
        <>
          <PlainButton size="compact-md" onClick={() => retry(upload.id)}>
            Try Again
          </PlainButton>
          <RemoveButton label={`Dismiss ${name}`} onClick={onRemove} />
        </>
      );
  }
}

const RemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <IconButton icon={IconX} label={label} title={label} onClick={onClick} />
);

type NextLinkProps = {
  upload: Extract<Upload, { phase: 'ended' }>;
  /** Among several results none has the primary button. */
  isOnly: boolean;
};

function NextLink({ upload, isOnly }: NextLinkProps) {
  const record = useImportNow(upload);
  const reportPath = useReportPath();
  const { id } = upload.reply;
  if (id === null) return null;
  const { words, to, needsOperator } = nextStep(id, record, reportPath);
  return (
    <Button
      component={Link}
      size="compact-md"
      variant={isOnly && needsOperator ? 'filled' : 'default'}
      to={to}
    >
      {words}
    </Button>
  );
}

/** `needsOperator`: the import waits for the operator. */
type NextStep = { words: string; to: string; needsOperator: boolean };

/** `record` null: the import is not known. */
export function nextStep(
  id: string,
  record: OpenedImport | null,
  reportPath: (id: string) => string,
): NextStep {
  if (record === null) return { words: 'Review', to: importPath(id), needsOperator: true };
  const { status, warningProducts, errorProducts } = record;
  if (canDo('viewReport', status)) return { words: 'View Report', to: reportPath(id), needsOperator: false };
  if (!canDo('review', status)) return { words: 'Open Import', to: importPath(id), needsOperator: false };
  const lacking = warningProducts + errorProducts;
  if (lacking === 0) return { words: 'Review', to: importPath(id), needsOperator: true };
  return { words: `Review ${countOf(lacking, 'Product')}`, to: needsYouPath(id), needsOperator: true };
}
