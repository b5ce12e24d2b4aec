import { listFileExtensions } from '@draftshelf/domain/reading/list-files';
import { Group, List, Stack, Text, Title } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { createLoader } from '../../api/query-client.ts';
import { Button, PlainButton, QuietText, SubtleButton } from '../../ui/basics.tsx';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { HelpTip, Hint, HintedButton } from '../../ui/hint.tsx';
import { usePageDrop } from '../../ui/hooks.ts';
import { lazyOverlay } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RecordTable } from '../../ui/table/record-table.tsx';
import { useEarlierImports } from '../import/index.ts';
import { settingsRead } from '../settings/index.ts';
import {
  buildFileRows,
  type ChosenFile,
  chosenFilesMax,
  type FileRow,
  fileRowKey,
  isUnfit,
  type RefusedFile,
  useChosenFiles,
} from './files/chosen-files.ts';
import { FileList } from './files/file-list.tsx';
import {
  acceptFiles,
  describeUploads,
  isUploaded,
  sizeLimitNote,
  summarizeUpload,
} from './files/file-words.ts';
import { ParseFailure, SelectedFile } from './preview/selected-file.tsx';
import { useUploadRun } from './run/upload-run.tsx';
import { hasUnsentFiles } from './run/uploads.ts';
import { TestPanel } from './test-panel.tsx';
import classes from './upload.module.css';
import { readFileBytesMax } from './upload-api.ts';
import {
  buildActionHints,
  findUploadBlocker,
  UploadChoices,
  uploadLabel,
  useUploadChoices,
} from './upload-choices.tsx';

type Files = ReturnType<typeof useUploadFiles>;
type Step = 'choose' | 'check' | 'results';

/** Returns the current step. Files that cannot be uploaded are ignored. */
function stepOf({ rows, toUpload, uploads }: Files): Step {
  if (rows.length === 0) return 'choose';
  return isUploaded(toUpload, uploads) ? 'results' : 'check';
}

export function Component() {
  const files = useUploadFiles();
  const { selection, rows, toUpload, picker } = files;
  const { current, reading, dispatch } = selection;
  const over = usePageDrop((dropped) => picker.take(dropped, false));
  const [isFetching, setFetching] = useState(false);
  const [only] = rows.length === 1 ? rows : [];
  if (only?.upload === null && current !== null && reading.failure !== null && !reading.failure.isOfBrowser) {
    return (
      <ParseFailure
        key={current.id}
        file={current.file}
        failure={reading.failure}
        dialect={selection.dialect}
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
      <FeedDialog opened={isFetching} onClose={() => setFetching(false)} />
      {step === 'choose' ? (
        <div className={`${classes.columns} grid gap-lg`}>
          <section
            aria-label="File drop zone"
            className={`stack ${classes.dropZone} gap-sm middle center centered surface-quiet`}
            data-over={over || undefined}
          >
            <IconFileSpreadsheet size={32} stroke={1.5} aria-hidden />
            <Stack gap={2} align="center">
              <Text fw={550}>
                Drop a product list here{' '}
                <HelpTip topic="file upload" more={sizeLimitNote(readFileBytesMax())} />
              </Text>
              <QuietText>CSV, Excel, ZIP or GZ</QuietText>
            </Stack>
            <Button onClick={() => picker.open(true)} data-choose>
              Choose File
            </Button>
            <SubtleButton aria-haspopup="dialog" onClick={() => setFetching(true)}>
              Fetch from an Address…
            </SubtleButton>
          </section>
          <UploadChoices choices={files.choices} />
        </div>
      ) : (
        <Table files={files} over={over} />
      )}
      {toUpload.files > 0 && (
        <SelectedFile
          selection={selection}
          earlier={files.earlier}
          choices={files.choices}
          onOther={files.chooseInPlaceOf}
          onUpload={() => current !== null && files.start([current], false)}
        />
      )}
      {step === 'choose' && (
        <Stack gap="lg">
          <AboutFiles />
          <TestPanel />
        </Stack>
      )}
      {over && (
        <div className={`${classes.overlay} flex middle`} aria-hidden>
          <Text fw={550}>Drop the files anywhere on this page</Text>
        </div>
      )}
    </Stack>
  );
}

Component.loader = createLoader(() => [settingsRead()]);

const FeedDialog = lazyOverlay(() => import('../suppliers/feed-dialog.tsx'), 'FeedDialog');

/** The screen's header. The button 'Upload N Products' waits for the checks of files; other buttons do not. */
function Header({ files, step }: { files: Files; step: Step }) {
  const { toUpload, uploads, start } = files;
  const { fit, checking, unseen, classes: products } = toUpload;
  const first = files.selection.current ?? fit[0] ?? null;
  const testFile = first === null || isUnfit(first) ? null : first;
  const busy = hasUnsentFiles(uploads);
  const at = { busy, files: toUpload.files, fit: fit.length, checking, unseen, valid: products.valid };
  const scope = { files: fit.length, checking, unseen, classes: products };
  const hints = buildActionHints(scope, testFile?.file.name ?? null);
  const upload = () => start(fit, false);
  return (
    <PageHeader
      title="Upload CSV"
      {...(step === 'choose' ? { subtitle: 'Choose a file, check what’s in it, then upload it.' } : {})}
    >
      {step === 'check' && (
        <>
          <SubtleButton color="gray" onClick={files.cancel}>
            Cancel
          </SubtleButton>
          <Hint text={hints.test}>
            <PlainButton
              disabled={busy || testFile === null}
              onClick={() => testFile !== null && start([testFile], true)}
            >
              Test (First 3)
            </PlainButton>
          </Hint>
          <Hint text={hints.processAll}>
            <PlainButton disabled={busy || fit.length === 0} onClick={upload}>
              Process All
            </PlainButton>
          </Hint>
          <HintedButton
            className={classes.primary ?? ''}
            reason={findUploadBlocker(at)}
            hint={hints.upload}
            onClick={upload}
          >
            {uploadLabel(products.valid)}
          </HintedButton>
        </>
      )}
      {step === 'results' && (
        // With a single result, the result's row has the primary button instead.
        <Button variant={uploads.length > 1 ? 'filled' : 'default'} component={Link} to="/queue">
          Go to Queue
        </Button>
      )}
    </PageHeader>
  );
}

function Table({ files, over }: { files: Files; over: boolean }) {
  const { selection, rows, toUpload, picker } = files;
  return (
    <>
      {/* One line, which screen readers announce. */}
      <QuietText className={`numbers ${classes.summary}`} role="status">
        {describeUploads(toUpload, files.uploads)}
      </QuietText>
      <section aria-label="Files" className={`stack ${classes.table}`} data-over={over || undefined}>
        <FileList {...{ rows, selection }} earlier={files.earlier} onRemove={files.remove} />
        <Group gap="xs">
          <PlainButton size="compact-md" onClick={() => picker.open(true)} data-choose>
            Choose Another File
          </PlainButton>
          <SubtleButton size="compact-md" onClick={() => picker.open(false)}>
            Add Files
          </SubtleButton>
        </Group>
      </section>
    </>
  );
}

const fieldTable = [
  { field: 'Title', aliases: 'title, name, product_title, product_name', required: true },
  { field: 'Price', aliases: 'price, cost, amount, value', required: true },
  { field: 'UPC', aliases: 'upc, barcode, ean, gtin', required: false },
  { field: 'Brand', aliases: 'brand, vendor, manufacturer', required: false },
  { field: 'Description', aliases: 'description, details, summary', required: false },
  { field: 'Quantity', aliases: 'quantity, stock, inventory, qty', required: false },
] as const;

const cards = () => [
  { value: 'CSV only', note: 'Or an Excel workbook, or a ZIP or GZ archive with one list' },
  {
    value: '50MB per file',
    note: sizeLimitNote(readFileBytesMax()) ?? 'Streamed, so size doesn’t slow you down',
  },
  {
    value: '50+ products per batch',
    note: 'Large files are split, and sent to the store at most 25 products at a time',
  },
];

const AboutFiles = () => (
  <div className={`${classes.columns} grid gap-lg`}>
    <Stack gap="xs">
      <Title order={2}>
        Expected fields <HelpTip topic="field mapping" />
      </Title>
      <RecordTable
        label="Expected fields"
        records={fieldTable}
        keyOf={({ field }) => field}
        columns={[
          { head: 'Field', cell: ({ field }) => field },
          { head: 'Aliases', cell: ({ aliases }) => aliases },
          { head: 'Required', cell: ({ required }) => (required ? 'yes' : 'no') },
        ]}
      />
    </Stack>
    <Stack gap="md">
      <div className={`${classes.cards} grid gap-sm`}>
        {cards().map(({ value, note }) => (
          <div key={value} className="panel">
            <Text fw={600}>{value}</Text>
            <QuietText>{note}</QuietText>
          </div>
        ))}
      </div>
      <Stack gap="xs">
        <Title order={2}>Notes</Title>
        <List spacing={4}>
          <List.Item>
            50 products per batch <HelpTip topic="batch processing" />
          </List.Item>
          <List.Item>UPC duplicate detection</List.Item>
          <List.Item>auto-categorization to collections</List.Item>
          <List.Item>
            draft mode <HelpTip topic="draft mode" />
          </List.Item>
          <List.Item>
            real-time progress <HelpTip topic="progress tracking" />
          </List.Item>
        </List>
      </Stack>
    </Stack>
  </div>
);

function useUploadFiles() {
  const selection = useChosenFiles();
  const { files, dispatch } = selection;
  const run = useUploadRun();
  const choices = useUploadChoices();
  const focus = useFocusOn();
  const hashes = files.flatMap(({ checked }) => (checked?.kind === 'read' ? [checked.sha256] : []));
  const earlier = useEarlierImports([...new Set(hashes)]);
  const toUpload = summarizeUpload(files, earlier);
  const picker = usePicker(toUpload.files, (accepted, refused, replace) => {
    if (replace) run.clear();
    dispatch({ kind: 'choose', files: accepted, refused, replace });
  });
  const rows = buildFileRows(files, run.uploads);
  return {
    ...{ selection, rows, toUpload, earlier, choices, picker },
    uploads: run.uploads,
    /** The screen's element, within which the focus moves after a removal. */
    within: focus.within,
    start(toStart: readonly ChosenFile[], testMode: boolean) {
      const switches = { enableUpc: choices.upc, enableAi: choices.ai, testMode };
      const ids = run.start(
        toStart.map((fileToSend) => ({
          file: fileToSend.file,
          options: { ...switches, ...selection.sentOf(fileToSend, testMode) },
        })),
      );
      dispatch({ kind: 'start', uploads: new Map(toStart.map(({ id }, at) => [id, ids[at] as number])) });
      const [first] = toStart;
      if (first !== undefined) focus.on(fileRowKey(first.id));
    },
    /** Removes a file, aborts its upload, or removes its result. */
    remove(row: FileRow) {
      if (row.upload !== null) run.drop(row.upload.id);
      if (row.file !== null) dispatch({ kind: 'remove', id: row.file.id });
      const at = rows.indexOf(row);
      focus.on((rows[at + 1] ?? rows[at - 1])?.key ?? null);
    },
    cancel() {
      dispatch({ kind: 'clear' });
      focus.on(null);
    },
    chooseInPlaceOf(id: number) {
      dispatch({ kind: 'remove', id });
      focus.on(null);
      picker.open(false);
    },
  };
}

function useFocusOn() {
  const within = useRef<HTMLDivElement>(null);
  const [target, setTarget] = useState<{ key: string | null } | null>(null);
  useLayoutEffect(() => {
    if (target === null) return;
    const row =
      target.key === null ? null : within.current?.querySelector(`[data-row="${target.key}"] [data-name]`);
    const next = row ?? within.current?.querySelector('[data-choose]');
    if (next instanceof HTMLElement) next.focus();
  }, [target]);
  return {
    within,
    /** Focuses the row with this key. If `key` is null or no row has it, focuses the button that chooses files. */
    on: (key: string | null) => setTarget({ key }),
  };
}

/** Returns a file picker: render `input`, call `open`. If all files are refused, a notification appears. */
function usePicker(
  chosenCount: number,
  onFiles: (files: readonly File[], refused: readonly RefusedFile[], replace: boolean) => void,
) {
  const failure = useFailureToast();
  const ref = useRef<HTMLInputElement>(null);
  const replaces = useRef(true);
  const take = (files: readonly File[], replace: boolean) => {
    const { accepted, refused, refusal } = acceptFiles(files, {
      room: chosenFilesMax - (replace ? 0 : chosenCount),
      bytesMax: readFileBytesMax(),
    });
    if (refusal === null) failure.dismiss();
    else failure.show(refusal.title, refusal.text);
    if (accepted.length > 0) onFiles(accepted, refused, replace);
  };
  return {
    take,
    /** `replace`: the files replace the chosen ones. */
    open(replace: boolean) {
      replaces.current = replace;
      ref.current?.click();
    },
    input: (
      <input
        ref={ref}
        type="file"
        accept={listFileExtensions.join()}
        multiple
        aria-label="CSV file"
        tabIndex={-1}
        hidden
        onChange={(event) => {
          take([...(event.currentTarget.files ?? [])], replaces.current);
          replaces.current = true;
          // Clears the input, so that the same file can be chosen again after a correction.
          event.currentTarget.value = '';
        }}
      />
    ),
  };
}
