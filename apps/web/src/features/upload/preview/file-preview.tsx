import { newSupplier } from '@draftshelf/contract/wire';
import { groupingOf } from '@draftshelf/domain/products/grouping';
import { describeQuestions, type ReadingAnswer } from '@draftshelf/domain/reading/column-questions';
import { Group, Progress, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHelpCircle, IconX } from '@tabler/icons-react';
import { useEffect, useId, useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { importPath } from '../../../lib/paths.ts';
import {
  BodyText,
  ClockTime,
  PageLink,
  PlainButton,
  QuietText,
  SmallButton,
  TextButton,
  ToggleButton,
} from '../../../ui/basics.tsx';
import { countPages, Pager } from '../../../ui/table/record-table.tsx';
import {
  ClassesBar,
  choiceWords,
  DialectFields,
  dialectKeys,
  dialectWords,
  type EarlierImport,
  listsWords,
  type MappingDraft,
  PriceHistogram,
  type ReadDialect,
} from '../../import/index.ts';
import type { ChosenFile, useChosenFiles } from '../files/chosen-files.ts';
import { type ClassCounts, countClasses, describeEarlierEffect } from '../files/file-words.ts';
import classes from '../upload.module.css';
import type { FoundSupplier } from '../upload-api.ts';
import { describeRowRange } from '../upload-choices.tsx';
import { columnsShownMax, firstRowsShown, type Preview, previewPageRows } from './preview.ts';
import { MappingList } from './preview-mappings.tsx';
import { PreviewTable } from './preview-table.tsx';

type FilePreviewProps = {
  selection: ReturnType<typeof useChosenFiles>;
  current: ChosenFile;
  /** The earlier import whose edits an upload would get. */
  earlier: EarlierImport | null;
};

export function FilePreview({ selection, current, earlier }: FilePreviewProps) {
  const { reading, dialect, memory, found, complete, setMapping: onMapping } = selection;
  const { file } = current;
  const { preview } = reading;
  const products = complete ? countClasses(current, earlier) : null;
  const lists = preview && listsWords(preview.tables);
  return (
    <Stack component="section" aria-label="CSV preview" gap="md">
      <Stack gap={4}>
        <Title order={2}>Preview of {file.name}</Title>
        <div className={classes.readingBar}>
          {!reading.complete && (
            <Progress
              aria-label="Reading file"
              value={file.size === 0 ? 0 : (reading.readBytes / file.size) * 100}
              size="sm"
            />
          )}
        </div>
      </Stack>
      {preview === null ? (
        <Skeleton height={520} />
      ) : (
        <>
          <DialectLine folds current={preview.dialect} doubtful={isDoubtful(preview)} {...dialect} />
          {lists !== null && <BodyText>{lists}</BodyText>}
          <Counts preview={preview} complete={reading.complete} of={products ?? preview} />
          {reading.complete && <Questions preview={preview} onReading={selection.setReading} />}
          {earlier !== null && <EarlierNote earlier={earlier} />}
          <MappingList {...{ preview, found, memory, onMapping }} />
          <SupplierLine found={found} chosen={current.supplier} onChoose={selection.setSupplier} />
          <Stack gap={4} component="section" aria-label="Prices" className={classes.prices}>
            <Title order={3}>Prices</Title>
            <PriceHistogram counts={preview.prices} />
          </Stack>
          <Rows {...{ preview, onMapping }} state={reading} />
        </>
      )}
    </Stack>
  );
}

type QuestionsProps = { preview: Preview; onReading: (header: string, reading: ReadingAnswer) => void };

/** Questions about columns that only the operator can answer. The answers are sent with the upload and remembered. */
const Questions = ({ preview: { mapping }, onReading }: QuestionsProps) =>
  describeQuestions(mapping).map(({ header, sentence, cells, answers }) => (
    <Group key={header} gap="xs" role="group" aria-label={sentence}>
      <IconHelpCircle size={16} color="var(--text-warning)" aria-hidden />
      <BodyText>
        <b>{countOf(cells, 'value', 'values')}</b> {sentence}
      </BodyText>
      {answers.map(({ reading, words }) => (
        <SmallButton key={reading} onClick={() => onReading(header, reading)}>
          {words}
        </SmallButton>
      ))}
    </Group>
  ));

/** Whether the file may have another format: it has a single column, or no column was recognized. */
const isDoubtful = ({ headers, mapping }: Preview): boolean =>
  headers.length < 2 || mapping.columns.every(({ field }) => field === null);

type CountsProps = { preview: Preview; complete: boolean; of: Preview | ClassCounts };

const Counts = ({ preview, complete, of }: CountsProps) => (
  <Stack gap="xs">
    <ClassesBar of={of} />
    <div className={`row-wrap ${classes.counts}`}>
      <Text component="span" fw={600} className="numbers">
        {`${of.exact ? '' : 'about '}${countOf(of.products, 'product')}`}
      </Text>
      {(
        [
          [of.valid, `${formatCount(of.valid)} valid`, IconCheck, 'good'],
          [of.warnings, countOf(of.warnings, 'warning'), IconAlertTriangle, 'warning'],
          [of.errors, countOf(of.errors, 'error'), IconX, 'bad'],
        ] as const
      ).map(([count, words, Icon, tone]) => (
        // A count of 0 has no color, because it is neither good nor bad.
        <Text
          key={tone}
          component="span"
          className="numbers"
          c={count === 0 ? 'dimmed' : `var(--text-${tone})`}
        >
          <Group component="span" gap={4} wrap="nowrap">
            {count > 0 && <Icon size={16} aria-hidden />}
            {words}
          </Group>
        </Text>
      ))}
    </div>
    <QuietText className="numbers">{rowCounts(preview, complete)}</QuietText>
    {groupingOf(preview.mapping).kind === 'rows' && (
      <QuietText>
        {preview.exact
          ? 'Rows of the same product are combined.'
          : 'Rows of the same product are combined after the upload.'}
      </QuietText>
    )}
  </Stack>
);

/** Example: '450 rows · 2 ignored · 1 formatting problem'. */
function rowCounts({ totalRows, ignoredRows, readingIssues }: Preview, isComplete: boolean): string {
  const parts = [countOf(totalRows, 'row')];
  if (ignoredRows > 0) parts.push(`${formatCount(ignoredRows)} ignored`);
  if (readingIssues > 0) parts.push(countOf(readingIssues, 'formatting problem'));
  if (!isComplete) parts.push('still reading…');
  return parts.join(' · ');
}

/** A note that an upload of the same file gets the edits of its earlier import. */
const EarlierNote = ({ earlier: { id, source, createdAt, edits } }: { earlier: EarlierImport }) => (
  <BodyText>
    {source === 'upload' ? 'You’ve uploaded this file before' : 'This file arrived before'}. See the{' '}
    <PageLink to={importPath(id)}>earlier import</PageLink> of <ClockTime time={createdAt} />.{' '}
    {describeEarlierEffect(edits)}
  </BodyText>
);

type View = 'first' | 'all' | 'problems';
type RowsProps = {
  preview: Preview;
  state: FilePreviewProps['selection']['reading'];
  onMapping: (draft: MappingDraft) => void;
};

function Rows({ preview, state, onMapping }: RowsProps) {
  const { showPage } = state;
  const [wantedView, setView] = useState<View>('first');
  const [wantedPage, setPage] = useState(1);
  const view = wantedView === 'problems' && preview.problems === 0 ? 'first' : wantedView;
  const pages = countPages(preview.totalRows, previewPageRows);
  // After a change of the dialect, a file may have fewer pages.
  const page = Math.min(wantedPage, pages);
  useEffect(() => {
    if (view === 'all' && state.complete) showPage(page - 1);
  }, [view, page, state.complete, showPage]);
  // The previous page and its label stay until the new page has loaded.
  const read = view === 'all' ? state.page : null;
  const rows = view === 'problems' ? preview.problemRows : (read?.rows ?? preview.firstRows);
  const columns = Math.min(preview.headers.length, columnsShownMax);
  const range =
    read === null
      ? describeRowRange(1, firstRowsShown, preview.totalRows)
      : describeRowRange(read.number + 1, previewPageRows, preview.totalRows);
  const show = (next: View) => {
    setView(next);
    setPage(1);
  };
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs" className={classes.rowsBar}>
        <Title order={3}>Data preview</Title>
        <Group gap="xs">
          {preview.problems > 0 && (
            <SegmentedControl
              size="xs"
              aria-label="Rows shown"
              value={view}
              onChange={(next) => show(next as View)}
              data={[
                { value: 'first', label: 'First 10' },
                { value: 'problems', label: `Rows with problems (${formatCount(preview.problems)})` },
              ]}
            />
          )}
          <PlainButton
            size="compact-md"
            disabled={view !== 'all' && (!state.complete || preview.totalRows <= firstRowsShown)}
            onClick={() => show(view === 'all' ? 'first' : 'all')}
          >
            {view === 'all' ? 'Show Less' : 'Show All'}
          </PlainButton>
        </Group>
      </Group>
      <PreviewTable {...{ preview, columns, rows, onMapping }} withProblems={view === 'problems'} />
      {view === 'problems' && preview.problems > rows.length && (
        <QuietText className="numbers">
          {`Showing ${formatCount(rows.length)} of ${countOf(preview.problems, 'row')} with problems. You can fix all of them after the upload.`}
        </QuietText>
      )}
      {preview.headers.length > columnsShownMax && (
        <QuietText>
          {`Showing the first ${columnsShownMax} of ${formatCount(preview.headers.length)} columns.`}
        </QuietText>
      )}
      {view === 'all' && <Pager page={page} pages={pages} range={range} onPage={setPage} />}
    </Stack>
  );
}

type SupplierLineProps = {
  found: FoundSupplier | undefined;
  /** The operator's answer: a supplier's id, or `newSupplier`. Null if there is no answer yet. */
  chosen: string | null;
  onChoose: (supplier: string | null) => void;
};

/** Shows the supplier that was found. Shows nothing if the supplier is new or unknown. */
function SupplierLine({ found, chosen, onChoose }: SupplierLineProps) {
  const { is, supplier, last } = found ?? {};
  if (!supplier) return null;
  if (is === 'certain') {
    return (
      <BodyText className="numbers break-words">
        {supplier.name}’s list.
        {last && ` Last one: ${last.filename}, ${countOf(last.items, 'product')}.`}
      </BodyText>
    );
  }
  const answer = (value: string, words: string) => (
    <ToggleButton
      size="compact-sm"
      isPressed={chosen === value}
      onClick={() => onChoose(chosen === value ? null : value)}
    >
      {words}
    </ToggleButton>
  );
  return (
    <fieldset className="row-wrap flush" style={{ padding: 0, border: 0 }} aria-label="Whose list is this?">
      <BodyText span>Whose list is this?</BodyText>
      {answer(String(supplier.id), supplier.name)}
      {answer(newSupplier, 'Another supplier')}
    </fieldset>
  );
}

export type DialectLineProps = ReturnType<typeof useChosenFiles>['dialect'];

type FoldProps = {
  /** Whether the fields are folded until the operator opens them. */
  folds: boolean;
  /** Undefined if the file cannot be read. */
  current?: ReadDialect;
  /** Whether the file looks misread in this dialect, so that the fields are open at first. */
  doubtful?: boolean;
};

export function DialectLine({ folds, current, doubtful = false, ...props }: DialectLineProps & FoldProps) {
  const { detected, detecting, choice, onChange, firstRecords, tables, focused } = props;
  const changes = choiceWords(choice, current ?? detected);
  const [open, setOpen] = useState(!folds || doubtful || focused !== null);
  const id = useId();
  return (
    <Stack gap={4} id={id}>
      <Group gap="xs" mih={26}>
        {current !== undefined && <BodyText>{dialectWords(current)}</BodyText>}
        <QuietText role="status">{changes === '' ? 'Detected automatically.' : changes}</QuietText>
        {folds && (
          <TextButton aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide File Format' : 'Change File Format'}
          </TextButton>
        )}
        {changes !== '' && (
          <TextButton
            data-focus-next={`[id="${id}"] :is(input, button)`}
            onClick={() => onChange({}, dialectKeys[0] ?? null)}
          >
            Reset to Detected
          </TextButton>
        )}
      </Group>
      {open && (
        <DialectFields
          basis={detected}
          basisMark="detected"
          detecting={detecting}
          choice={choice}
          onChange={onChange}
          firstRecords={firstRecords}
          sheetRows={current?.sheetRows}
          tables={tables}
          focused={focused}
        />
      )}
    </Stack>
  );
}
