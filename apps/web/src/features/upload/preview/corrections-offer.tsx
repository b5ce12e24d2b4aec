import { Group } from '@mantine/core';
import { useNavigate } from 'react-router';
import { correctionsPath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { SaveFailure } from '../../../ui/form.tsx';
import { useCorrectedImport, useCorrectionsUpload } from '../../import/index.ts';
import classes from './preview.module.css';

type CorrectionsOfferProps = { file: File; rowKey: string; onUpload: () => void };

/** What to do with a file that is a download of an import's rows: correct these, or upload it as a new import. */
export function CorrectionsOffer({ file, rowKey, onUpload }: CorrectionsOfferProps) {
  const { data: corrected } = useCorrectedImport(rowKey);
  const upload = useCorrectionsUpload();
  const navigate = useNavigate();
  if (corrected === undefined) return null;
  const apply = () =>
    upload.mutate(
      { importId: corrected.id, file },
      { onSuccess: ({ id }) => void navigate(correctionsPath(corrected.id, id)) },
    );
  return (
    <section className={`stack ${classes.offer}`} aria-label="Corrections">
      <p>
        This file has corrections of <strong className="break-words">{corrected.filename}</strong>.
      </p>
      <SaveFailure error={upload.error} title="Couldn’t take the file." />
      <Group gap="xs">
        <Button loading={upload.isPending} onClick={apply}>
          <span className="ellipsis">Apply Corrections to {corrected.filename}</span>
        </Button>
        <Button variant="default" onClick={onUpload}>
          Upload as a New Import
        </Button>
      </Group>
    </section>
  );
}
