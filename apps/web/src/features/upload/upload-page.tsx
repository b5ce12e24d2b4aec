import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { loaderOf } from '../../api/loader.ts';
import { Button } from '../../ui/button.tsx';
import { usePageDrop } from '../../ui/hooks/use-page-drop.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { settingsRead } from '../settings/index.ts';
import { AboutFiles } from './about-files.tsx';
import { isUnfit } from './chosen-files.ts';
import { DropZone } from './drop-zone.tsx';
import type { FileRow } from './file-rows.ts';
import { isUploaded, summaryWords, type ToUpload } from './file-words.ts';
import filesClasses from './files.module.css';
import classes from './upload.module.css';
import { UploadActions } from './upload-actions.tsx';
import { UploadChoices } from './upload-choices.tsx';
import { isSending, type Upload } from './uploads.ts';
import { useUploadFiles } from './use-upload-files.tsx';

const FileList = later(
  () => import('./file-list.tsx').then((chunk) => chunk.FileList),
  ({ rows }) => <EmptyRows rows={rows} />,
);
const SelectedFile = later(
  () => import('./selected-file.tsx').then((chunk) => chunk.SelectedFile),
  <Skeleton height="100vh" />,
);
const ParseFailure = later(() => import('./parse-failure.tsx').then((chunk) => chunk.ParseFailure));
const TestPanel = later(
  () => import('./test-panel.tsx').then((chunk) => chunk.TestPanel),
  <Skeleton height={640} />,
);

type Files = ReturnType<typeof useUploadFiles>;
type Step = 'choose' | 'check' | 'results';

/** Files that cannot be uploaded keep no step waiting. */
function stepOf({ rows, toUpload, uploads }: Files): Step {
  if (rows.length === 0) return 'choose';
  return isUploaded(toUpload, uploads) ? 'results' : 'check';
}

/** Files are chosen, checked and uploaded in one table. Below it is the preview of one of them. */
export function Component() {
  const files = useUploadFiles();
  const { chosen, rows, toUpload, picker } = files;
  const { current, reading, dispatch } = chosen;
  const over = usePageDrop((dropped) => picker.take(dropped, false));
  const [only] = rows.length === 1 ? rows : [];
  if (only?.upload === null && current !== null && reading.failure !== null) {
    return (
      <ParseFailure
        key={current.id}
        file={current.file}
        failure={reading.failure}
        dialect={chosen.dialect}
        isWhole
        onOther={() => dispatch({ kind: 'remove', id: current.id })}
      />
    );
  }
  const step = stepOf(files);
  return (
    <Stack gap="lg" ref={files.within}>
      <title>Upload CSV · Draftshelf</title>
      <Header files={files} step={step} />
      {picker.input}
      {step === 'choose' ? (
        <div className={classes.top}>
          <DropZone over={over} onChoose={() => picker.open(true)} />
          <UploadChoices choices={files.choices} />
        </div>
      ) : (
        <Table files={files} over={over} />
      )}
      {toUpload.files > 0 && (
        <SelectedFile
          chosen={chosen}
          earlier={files.earlier}
          choices={files.choices}
          onOther={files.chooseInPlaceOf}
        />
      )}
      {/* Other elements for each step, so that nothing moves. */}
      <Stack gap="lg" key={step}>
        <AboutFiles />
        <TestPanel />
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

function Header({ files, step }: { files: Files; step: Step }) {
  const { toUpload, uploads, start } = files;
  const tested = files.chosen.current ?? toUpload.fit[0] ?? null;
  return (
    <PageHeader
      title="Upload CSV"
      {...(step === 'choose' ? { subtitle: 'Choose a file, check what’s in it, then upload it.' } : {})}
    >
      {step === 'check' && (
        <UploadActions
          toUpload={toUpload}
          tested={tested === null || isUnfit(tested) ? null : tested.file.name}
          busy={isSending(uploads)}
          onCancel={files.cancel}
          onTest={() => tested !== null && start([tested], true)}
          onUpload={() => start(toUpload.fit, false)}
        />
      )}
      {step === 'results' && (
        // A single result has the primary button in its row.
        <Button variant={uploads.length > 1 ? 'filled' : 'default'} component={Link} to="/queue">
          Go to Queue
        </Button>
      )}
    </PageHeader>
  );
}

function Table({ files, over }: { files: Files; over: boolean }) {
  const { chosen, rows, toUpload, picker } = files;
  const { current, reading, dispatch } = chosen;
  return (
    <>
      <Summary toUpload={toUpload} uploads={files.uploads} />
      <section aria-label="Files" className={filesClasses.table} data-over={over || undefined}>
        <FileList
          rows={rows}
          files={chosen.files}
          selected={current && { id: current.id, share: shareOf(current.file, reading.readBytes) }}
          earlier={files.earlier}
          onChecked={chosen.onChecked}
          onSelect={(id) => dispatch({ kind: 'select', id })}
          onRemove={files.remove}
        />
        <Group gap="xs">
          <Button variant="default" size="compact-md" onClick={() => picker.open(true)} data-choose>
            Choose Another File
          </Button>
          <Button variant="subtle" size="compact-md" onClick={() => picker.open(false)}>
            Add Files
          </Button>
        </Group>
      </section>
    </>
  );
}

/** Rows of the same height, while the code of the list loads. */
function EmptyRows({ rows }: { rows: readonly FileRow[] }) {
  return (
    <ul className={filesClasses.rows} aria-hidden>
      {rows.map(({ key }) => (
        <li key={key} className={filesClasses.row} />
      ))}
    </ul>
  );
}

const shareOf = (file: File, readBytes: number) => (file.size === 0 ? 0 : readBytes / file.size);

/** What the buttons would upload, or how far the uploads are. One line, which is announced. */
function Summary({ toUpload, uploads }: { toUpload: ToUpload; uploads: readonly Upload[] }) {
  return (
    <Text size="sm" c="dimmed" className={`numbers ${filesClasses.summary}`} role="status">
      {summaryWords(toUpload, uploads)}
    </Text>
  );
}
