import { sampleAt, sampleFile } from '@draftshelf/domain/reading/sample';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { useSettings } from '../settings/index.ts';
import { useUploadRun } from '../upload/index.ts';

/** Uploads the sample file. `isCompact`: in a line of text. The error comes behind the button. */
export function SampleButton({ isCompact = false }: { isCompact?: boolean }) {
  const run = useUploadRun();
  const settings = useSettings().data;
  const navigate = useNavigate();
  const trySample = useMutation({
    mutationFn: fetchSample,
    onSuccess: (file) => {
      const enableUpc = settings?.upcLookup ?? true;
      const enableAi = settings?.aiValidation ?? true;
      run.start([{ file, options: { enableUpc, enableAi, testMode: false } }]);
      navigate('/upload');
    },
  });
  return (
    <>
      <Button
        variant="light"
        {...(isCompact && { size: 'compact-sm' })}
        loading={trySample.isPending}
        onClick={() => trySample.mutate()}
      >
        Try the Sample File
      </Button>
      {trySample.isError && (
        <ErrorPanel title="Couldn’t load the sample file." cause={trySample.error.message}>
          Reload the page and try again.
        </ErrorPanel>
      )}
    </>
  );
}

async function fetchSample(): Promise<File> {
  const response = await fetch(sampleFile.path);
  if (!response.ok) throw new Error(`${response.status}: ${sampleFile.path}`);
  const text = sampleAt(location.origin, await response.text());
  return new File([text], sampleFile.filename, { type: 'text/csv' });
}
