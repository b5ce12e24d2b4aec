import { listFileEnds } from '@draftshelf/domain/reading/list-files';
import { FileButton, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { Button } from '../../../ui/button.tsx';
import { Read } from '../../../ui/feedback/read.tsx';
import { SaveFailure } from '../../../ui/form.tsx';
import { tallDialog } from '../../../ui/tall-dialog.ts';
import { isFiltered, readRowsAddress } from '../rows-address.ts';
import classes from './corrections.module.css';
import { correctionsUrl, useCorrections, useCorrectionsUpload } from './corrections-api.ts';
import { CorrectionsFound } from './corrections-found.tsx';

type CorrectionsDialogProps = {
  importId: string;
  /** The file that was uploaded; null: none is yet. */
  corrections: string | null;
  /** Reason for not editing rows now; null if they can be edited. */
  lock: string | null;
  opened: boolean;
  onUploaded: (corrections: string | null) => void;
  onClose: () => void;
};

const dialogClasses = tallDialog();

/** Rows as a file for a spreadsheet, and what has changed in it when it comes back. */
export function CorrectionsDialog({ opened, onClose, ...props }: CorrectionsDialogProps) {
  const { importId, corrections } = props;
  const fullScreen = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Correct in a spreadsheet"
      size="56rem"
      fullScreen={fullScreen}
      padding={0}
      classNames={dialogClasses}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {corrections === null ? (
        <Round {...props} />
      ) : (
        <Found key={corrections} {...props} importId={importId} corrections={corrections} onClose={onClose} />
      )}
    </Modal>
  );
}

/** The download, and the upload of the changed file. */
function Round({
  importId,
  lock,
  onUploaded,
}: Pick<CorrectionsDialogProps, 'importId' | 'lock' | 'onUploaded'>) {
  const [search] = useSearchParams();
  const address = readRowsAddress(search);
  const upload = useCorrectionsUpload();
  const take = (file: File | null) => {
    if (file === null || upload.isPending) return;
    upload.mutate({ importId, file }, { onSuccess: ({ id }) => onUploaded(id) });
  };
  return (
    <Stack gap="md" className={classes.part}>
      <Text size="sm">
        Download the rows, change values in a spreadsheet or let a colleague do it, and upload the file here.
        Only what differs from the download is changed, and you see it first. Leave the column ‘Draftshelf
        row’ as it is.
      </Text>
      <div className={`row-wrap ${classes.steps}`}>
        <Button
          component="a"
          href={correctionsUrl(importId, address)}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {isFiltered(address) ? 'Download the Filtered Rows' : 'Download All Rows'}
        </Button>
        <FileButton accept={listFileEnds.join()} onChange={take}>
          {(props) => (
            <Button
              {...props}
              loading={upload.isPending}
              disabled={lock !== null}
              leftSection={<IconUpload size={16} aria-hidden />}
            >
              Upload the Corrected File
            </Button>
          )}
        </FileButton>
      </div>
      {lock !== null && <Text size="sm">{lock}</Text>}
      <SaveFailure error={upload.error} title="Couldn’t take the file." />
    </Stack>
  );
}

type FoundProps = Omit<CorrectionsDialogProps, 'opened' | 'corrections'> & { corrections: string };

function Found({ importId, corrections, ...props }: FoundProps) {
  return (
    <Read
      of={useCorrections(importId, corrections)}
      what="the corrections"
      meanwhile={<Skeleton height={240} className={classes.part} aria-hidden />}
    >
      {(found) => <CorrectionsFound {...props} importId={importId} found={found} />}
    </Read>
  );
}
