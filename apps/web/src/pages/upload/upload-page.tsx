import { Skeleton, Stack, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { loaderOf } from '../../api/loader.ts';
import { settingsRead } from '../../api/settings.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { lazily } from '../../lib/load-chunk.ts';
import { usePageDrop } from '../../lib/use-page-drop.ts';
import { AboutFiles } from './about-files.tsx';
import type { ChosenFile } from './chosen-files.ts';
import { DropZone } from './drop-zone.tsx';
import { FileList } from './file-list.tsx';
import { ParseFailure } from './parse-failure.tsx';
import { RunPanel } from './run-panel.tsx';
import classes from './upload.module.css';
import { UploadActions } from './upload-actions.tsx';
import { UploadChoices, useUploadChoices } from './upload-choices.tsx';
import { useUploadRun } from './upload-run.tsx';
import { uploadScope } from './upload-words.ts';
import { isSending } from './uploads.ts';
import { useChosenFiles } from './use-chosen-files.ts';
import { usePicker } from './use-picker.tsx';

const PreviewPanel = lazily(() => import('./preview-panel.tsx').then((chunk) => chunk.PreviewPanel));
const TestPanel = lazily(() => import('./test-panel.tsx').then((chunk) => chunk.TestPanel));

type Chosen = ReturnType<typeof useChosenFiles>;

/** Three steps on one page: choose files, check one after the other, and see the results. */
export function Component() {
  const chosen = useChosenFiles();
  const { files, current, dispatch } = chosen;
  const run = useUploadRun();
  const choices = useUploadChoices();
  const picker = usePicker(files.length, (taken, replace) => {
    run.clear();
    dispatch({ kind: 'choose', files: taken, replace });
  });
  const over = usePageDrop((dropped) => picker.take(dropped, false));
  const [started, setStarted] = useState(0);

  const upload = (uploaded: readonly ChosenFile[], testMode: boolean) => {
    const switches = { enableUpc: choices.upc, enableAi: choices.ai, testMode };
    run.start(
      uploaded.map((one) => ({ file: one.file, options: { ...switches, ...chosen.sentOf(one, testMode) } })),
    );
    for (const { id } of uploaded) dispatch({ kind: 'remove', id });
    setStarted(started + 1);
  };
  if (current !== null && chosen.reading.failure !== null) {
    return (
      <ParseFailure
        key={current.id}
        file={current.file}
        failure={chosen.reading.failure}
        dialect={chosen.dialect}
        onOther={() => dispatch({ kind: 'remove', id: current.id })}
      />
    );
  }
  return (
    <Stack gap="lg">
      <title>Upload CSV · Draftshelf</title>
      <PageHeader
        title="Upload CSV"
        {...(current === null ? { subtitle: 'Choose a file, check what’s in it, then upload it.' } : {})}
      >
        {current !== null && (
          <UploadActions
            valid={chosen.reading.preview?.valid ?? 0}
            complete={chosen.complete}
            busy={isSending(run.uploads)}
            onCancel={() => dispatch({ kind: 'clear' })}
            onTest={() => upload([current], true)}
            onAll={() => upload(files, false)}
            onUpload={() => upload([current], false)}
          />
        )}
      </PageHeader>
      {picker.input}
      {run.uploads.length > 0 && <RunPanel started={started} />}
      {current === null ? (
        <div className={classes.top}>
          <DropZone over={over} low={run.uploads.length > 0} onChoose={() => picker.open(true)} />
          <UploadChoices choices={choices} />
        </div>
      ) : (
        <CheckStep
          chosen={chosen}
          current={current}
          over={over}
          choices={choices}
          onPick={(replace) => picker.open(replace)}
        />
      )}
      {/* Other elements, so that nothing moves when a file is chosen. */}
      <Stack gap="lg" key={current === null ? 'below the zone' : 'below the preview'}>
        <AboutFiles />
        <Suspense fallback={<Skeleton height={640} />}>
          <TestPanel />
        </Suspense>
      </Stack>
      {over && (
        <div className={classes.overlay} aria-hidden>
          <Text fw={550}>Drop the files anywhere on this page</Text>
        </div>
      )}
    </Stack>
  );
}

Component.loader = loaderOf(() => [settingsRead()]);

/** The sentence that explains the buttons. */
function scopeOf({ files, reading: { preview }, complete }: Chosen): string {
  return complete && preview !== null ? uploadScope(preview, files.length - 1) : 'Reading the file…';
}

type CheckStepProps = {
  chosen: Chosen;
  current: ChosenFile;
  over: boolean;
  choices: ReturnType<typeof useUploadChoices>;
  onPick: (replace: boolean) => void;
};

/** The second step: the chosen files, and the preview of one of them. */
function CheckStep({ chosen, current, over, choices, onPick }: CheckStepProps) {
  const { files, reading, dialect, memory, dispatch } = chosen;
  return (
    <>
      <Text size="sm" c="dimmed" className={`numbers ${classes.scope}`}>
        {scopeOf(chosen)}
      </Text>
      <FileList
        files={files}
        selected={current.id}
        over={over}
        onSelect={(id) => dispatch({ kind: 'select', id })}
        onRemove={(id) => dispatch({ kind: 'remove', id })}
        onChooseOther={() => onPick(true)}
        onAdd={() => onPick(false)}
      />
      <div className={classes.check}>
        <UploadChoices choices={choices} />
        <div className={classes.preview}>
          <Suspense fallback={<Skeleton height={600} />}>
            <PreviewPanel
              key={current.id}
              file={current.file}
              state={reading}
              dialect={dialect}
              memory={memory}
              onMapping={chosen.setMapping}
              showPage={reading.showPage}
            />
          </Suspense>
        </div>
      </div>
    </>
  );
}
