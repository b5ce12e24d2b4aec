import { Group, List, Stack, Text, Title } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { Link } from 'react-router';
import { loaderOf } from '../../api/loader.ts';
import { Button, PlainButton, SubtleButton } from '../../ui/button.tsx';
import { HelpTip, Hint } from '../../ui/hint.tsx';
import { usePageDrop } from '../../ui/hooks.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ReasonedButton } from '../../ui/reasoned-button.tsx';
import { RecordTable } from '../../ui/table/record-table.tsx';
import { QuietText } from '../../ui/text.tsx';
import { settingsRead } from '../settings/index.ts';
import { isUnfit } from './files/chosen-files.ts';
import { FileList } from './files/file-list.tsx';
import { isUploaded, limitNote, summaryWords, type ToUpload } from './files/file-words.ts';
import { ParseFailure, SelectedFile } from './preview/selected-file.tsx';
import { isSending, type Upload } from './run/uploads.ts';
import { TestPanel } from './test-panel.tsx';
import classes from './upload.module.css';
import { fileBytesMax } from './upload-api.ts';
import { actionHints, UploadChoices, uploadBlock, uploadLabel } from './upload-choices.tsx';
import { useUploadFiles } from './use-upload-files.tsx';

type Files = ReturnType<typeof useUploadFiles>;
type Step = 'choose' | 'check' | 'results';

/** Files that cannot be uploaded keep no step waiting. */
function stepOf({ rows, toUpload, uploads }: Files): Step {
  if (rows.length === 0) return 'choose';
  return isUploaded(toUpload, uploads) ? 'results' : 'check';
}

export function Component() {
  const files = useUploadFiles();
  const { selection, rows, toUpload, picker } = files;
  const { current, reading, dispatch } = selection;
  const over = usePageDrop((dropped) => picker.take(dropped, false));
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
      {step === 'choose' ? (
        <div className={`${classes.columns} grid gap-lg`}>
          <DropZone over={over} onChoose={() => picker.open(true)} />
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
      {/* Other elements for each step, so that nothing moves. */}
      <Stack gap="lg" key={step}>
        <AboutFiles />
        <TestPanel />
      </Stack>
      {over && (
        <div className={`${classes.overlay} flex middle`} aria-hidden>
          <Text fw={550}>Drop the files anywhere on this page</Text>
        </div>
      )}
    </Stack>
  );
}

Component.loader = loaderOf(() => [settingsRead()]);

function Header({ files, step }: { files: Files; step: Step }) {
  const { toUpload, uploads, start } = files;
  const testFile = files.selection.current ?? toUpload.fit[0] ?? null;
  return (
    <PageHeader
      title="Upload CSV"
      {...(step === 'choose' ? { subtitle: 'Choose a file, check what’s in it, then upload it.' } : {})}
    >
      {step === 'check' && (
        <UploadActions
          toUpload={toUpload}
          testFile={testFile === null || isUnfit(testFile) ? null : testFile.file.name}
          busy={isSending(uploads)}
          onCancel={files.cancel}
          onTest={() => testFile !== null && start([testFile], true)}
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
  const { selection, rows, toUpload, picker } = files;
  const { current, reading, dispatch } = selection;
  return (
    <>
      <Summary toUpload={toUpload} uploads={files.uploads} />
      <section aria-label="Files" className={`stack ${classes.table}`} data-over={over || undefined}>
        <FileList
          rows={rows}
          files={selection.files}
          selected={current && { id: current.id, share: shareOf(current.file, reading.readBytes) }}
          earlier={files.earlier}
          onChecked={selection.onChecked}
          onSelect={(id) => dispatch({ kind: 'select', id })}
          onRemove={files.remove}
        />
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

const shareOf = (file: File, readBytes: number) => (file.size === 0 ? 0 : readBytes / file.size);

/** One line, which is announced. */
const Summary = ({ toUpload, uploads }: { toUpload: ToUpload; uploads: readonly Upload[] }) => (
  <QuietText className={`numbers ${classes.summary}`} role="status">
    {summaryWords(toUpload, uploads)}
  </QuietText>
);

/** Files can also be dropped anywhere else on the page. */
const DropZone = ({ over, onChoose }: { over: boolean; onChoose: () => void }) => (
  <section
    aria-label="File drop zone"
    className={`stack ${classes.dropZone} gap-sm middle center centered surface-quiet`}
    data-over={over || undefined}
  >
    <IconFileSpreadsheet size={32} stroke={1.5} aria-hidden />
    <Stack gap={2} align="center">
      <Text fw={550}>
        Drop a product list here <HelpTip topic="file upload" more={limitNote(fileBytesMax())} />
      </Text>
      <QuietText>CSV, Excel, ZIP or GZ</QuietText>
    </Stack>
    <Button onClick={onChoose} data-choose>
      Choose File
    </Button>
  </section>
);

type UploadActionsProps = {
  toUpload: ToUpload;
  /** Null: the file cannot be uploaded. */
  testFile: string | null;
  busy: boolean;
  onCancel: () => void;
  onTest: () => void;
  onUpload: () => void;
};

/** Both variants of the specification. 'Upload N Products' waits for the checks, the others do not. */
function UploadActions({ toUpload, testFile, busy, onCancel, onTest, onUpload }: UploadActionsProps) {
  const { files, fit, checking, unseen, classes: products } = toUpload;
  const hints = actionHints({ files: fit.length, checking, unseen, classes: products }, testFile);
  const at = { busy, files, fit: fit.length, checking, unseen, valid: products.valid };
  return (
    <>
      <SubtleButton color="gray" onClick={onCancel}>
        Cancel
      </SubtleButton>
      <Hint text={hints.test}>
        <PlainButton disabled={busy || testFile === null} onClick={onTest}>
          Test (First 3)
        </PlainButton>
      </Hint>
      <Hint text={hints.processAll}>
        <PlainButton disabled={busy || fit.length === 0} onClick={onUpload}>
          Process All
        </PlainButton>
      </Hint>
      <ReasonedButton
        className={classes.primary ?? ''}
        reason={uploadBlock(at)}
        hint={hints.upload}
        onClick={onUpload}
      >
        {uploadLabel(products.valid)}
      </ReasonedButton>
    </>
  );
}

/** The specification's field table, verbatim. */
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
  { value: '50MB per file', note: limitNote(fileBytesMax()) ?? 'Streamed, so size doesn’t slow you down' },
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
