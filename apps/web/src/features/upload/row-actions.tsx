import { IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ActionIcon, Button } from '../../ui/button.tsx';
import { useReportPath } from '../../ui/hooks/use-report-path.ts';
import type { FileRow } from './file-rows.ts';
import { nextStep } from './next-step.ts';
import { useImportNow, useUploadRun } from './upload-run.tsx';
import type { Upload } from './uploads.ts';

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
          <NextLink upload={upload} isOnly={uploads.length === 1} />
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

type NextLinkProps = {
  upload: Extract<Upload, { phase: 'ended' }>;
  /** A single result is what the operator goes on with. Among several, none comes first. */
  isOnly: boolean;
};

/** Leads on from an upload, by what its import waits for now. */
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
