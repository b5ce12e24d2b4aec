import { IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ShownImport } from '../../api/imports.ts';
import { ActionIcon, Button } from '../../components/button.tsx';
import { formatCount } from '../../lib/intl.ts';
import { importPath, needsYouPath } from '../../lib/paths.ts';
import type { FileRow } from './file-rows.ts';
import { useUploadRun } from './upload-run.tsx';

/** The buttons at the end of a row. */
export function RowActions({ row, onRemove }: { row: FileRow; onRemove: () => void }) {
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
          {upload.reply.id !== null && (
            <ReviewLink importId={upload.reply.id} record={upload.record} isPrimary={uploads.length === 1} />
          )}
          <RemoveButton label={`Remove ${name} from This List`} onClick={onRemove} />
        </>
      );
    case 'failed':
      return (
        <>
          <Button size="compact-md" variant="default" onClick={() => retry(upload.id)}>
            Try Again
          </Button>
          <RemoveButton label={`Dismiss ${name}`} onClick={onRemove} />
        </>
      );
  }
}

function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={onClick}>
      <IconX size={16} aria-hidden />
    </ActionIcon>
  );
}

type ReviewLinkProps = {
  importId: string;
  record: ShownImport | null;
  /** A single result is what the operator goes on with. Among several, none comes first. */
  isPrimary: boolean;
};

function ReviewLink({ importId, record, isPrimary }: ReviewLinkProps) {
  const lacking = record === null ? 0 : record.warningProducts + record.errorProducts;
  return (
    <Button
      component={Link}
      size="compact-md"
      variant={isPrimary ? 'filled' : 'default'}
      to={lacking === 0 ? importPath(importId) : needsYouPath(importId)}
    >
      {lacking === 0 ? 'Review' : `Review ${formatCount(lacking)} ${lacking === 1 ? 'Product' : 'Products'}`}
    </Button>
  );
}
