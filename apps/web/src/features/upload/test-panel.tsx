import { endpointOf } from '@draftshelf/contract/paths';
import type { FastUploadReply } from '@draftshelf/contract/reading/upload';
import { tooFewRecordsMessage, totalCountHeader } from '@draftshelf/contract/wire';
import { Badge, Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import {
  CallError,
  type CallRequest,
  call,
  callWithHeaders,
  createCallError,
  NoReplyError,
} from '../../api/call.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { BodyText, PlainButton, QuietText } from '../../ui/basics.tsx';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { toast } from '../../ui/feedback/toast-state.ts';
import { type Column, RecordTable } from '../../ui/table/record-table.tsx';
import classes from './upload.module.css';

const colors: Record<Exclude<TestWord, 'PENDING'>, string> = {
  PASS: 'green',
  FAIL: 'red',
  WARN: 'yellow',
  RUN: 'blue',
};
/** An unobtrusive look, for tests that were not started. */
const quiet = { variant: 'transparent', c: 'dimmed' } as const;

/** Tests of the upload, which store nothing. */
export function TestPanel() {
  const { state, results, start } = useTestRun();
  return (
    <Stack component="section" aria-label="System Edge Case Testing" gap="xs" data-state={state}>
      <Group justify="space-between" gap="xs">
        <Title order={2}>System Edge Case Testing</Title>
        <PlainButton size="compact-md" busy={state === 'running'} onClick={start}>
          Run All Tests
        </PlainButton>
      </Group>
      <QuietText>
        This tests the server, not your files: it checks that difficult files are read correctly. Nothing is
        stored, and the queue doesn’t change.
      </QuietText>
      <BodyText className="numbers" role="status" mih={20}>
        {state === 'idle'
          ? 'Not run yet.'
          : `${state === 'running' ? 'Running: ' : ''}${describeTestTotals(results)}`}
      </BodyText>
      <RecordTable
        label="Tests"
        className={classes.tests}
        isFixed
        columns={columns}
        records={names.map((name, at) => ({
          name,
          result: results[at],
          word: testWord(results[at], state === 'running' && at === results.length),
        }))}
        keyOf={({ name }) => name}
      />
    </Stack>
  );
}

type Test = { name: string; result: TestResult | undefined; word: TestWord };

const columns: Column<Test>[] = [
  {
    head: 'Status',
    rem: 7,
    cell: ({ word }) => (
      <Badge {...(word === 'PENDING' ? quiet : { variant: 'light', color: colors[word] })}>{word}</Badge>
    ),
  },
  { head: 'Test', rem: 15, cell: ({ name }) => name },
  { head: 'Details', className: 'break-words', cell: ({ result }) => result?.details },
  {
    head: 'Duration',
    rem: 6,
    align: 'right',
    className: 'numbers',
    cell: ({ result }) => (result === undefined ? '' : `${formatCount(Math.round(result.duration))} ms`),
  },
];

function useTestRun() {
  const [state, setState] = useState<RunnerState>('idle');
  const [results, setResults] = useState<readonly TestResult[]>([]);
  const failure = useFailureToast();
  const run = async () => {
    for (const edgeCase of edgeCases()) {
      const result = await runEdgeCase(edgeCase);
      setResults((before) => [...before, result]);
    }
  };
  const start = () => {
    setState('running');
    setResults([]);
    run()
      .then(() => toast({ title: 'System Testing Complete', text: 'All edge case tests have been executed' }))
      .catch((error: unknown) =>
        failure.show('Testing Failed', error instanceof Error ? error.message : String(error)),
      )
      .finally(() => setState('complete'));
  };
  return { state, results, start };
}

/** The result of a test. If the call fails or its result is unexpected, the test throws instead. */
type Verdict = { status?: TestResult['status']; details: string; data?: unknown };
type EdgeCase = { name: string; run: () => Promise<Verdict> };

/** Number of rows that the server should read within `largeMsMax`. */
const largeRows = 50_000;
const largeMsMax = 5_000;
const longTitleChars = 10_000;

const csv = (...lines: string[]) => `${lines.join('\n')}\n`;

/** Sends a text like an upload. The server reads it without storing it. */
function read(csvContent: string): Promise<FastUploadReply> {
  const options = { enableUPC: false, enableAI: false, draftMode: true };
  // The server parses this body while it arrives, without a schema.
  const request = { body: { csvContent, options } } as unknown as CallRequest<'fastUpload'>;
  return call('fastUpload', request);
}

type Expected = Partial<Omit<FastUploadReply, 'firstRows'>> & { titles?: string[]; prices?: string[] };

async function reads(csvContent: string, { titles, prices, ...counts }: Expected): Promise<Verdict> {
  const reply = await read(csvContent);
  for (const [name, expected] of Object.entries(counts)) {
    expectEqual(name, reply[name as keyof FastUploadReply], expected);
  }
  const { firstRows } = reply;
  if (titles) expectEqual('titles', firstRows.map(({ title }) => title).join(' | '), titles.join(' | '));
  if (prices) expectEqual('prices', firstRows.map(({ price }) => price).join(' | '), prices.join(' | '));
  const { processed, valid, warnings, errors } = reply;
  return {
    details: `${countOf(processed, 'row')}: ${formatCount(valid)} valid, ${countOf(warnings, 'warning')}, ${countOf(errors, 'error')}.`,
    data: reply,
  };
}

async function refuses(send: () => Promise<unknown>, message: string): Promise<Verdict> {
  const error = await send().then(
    () => null,
    (cause: unknown) => cause,
  );
  if (error === null) throw new Error('The server accepted the file.');
  if (!(error instanceof CallError)) throw error;
  expectEqual('status', error.status, 400);
  expectEqual('message', error.serverMessage, message);
  return { details: `Refused: ${message}` };
}

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (actual === expected) return;
  throw new Error(`Expected ${what} ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}.`);
}

/** Uploads a file that the server must refuse. */
async function upload(name: string, type: string, content: string): Promise<void> {
  const form = new FormData();
  form.set('csv', new File([content], name, { type }));
  const { method, path } = endpointOf('uploadCsv');
  const response = await fetch(path, { method, body: form, credentials: 'include' }).catch((cause) => {
    throw new NoReplyError(cause);
  });
  if (!response.ok) throw createCallError(response.status, response.statusText, await response.text());
}

async function importCount(): Promise<string> {
  const { headers } = await callWithHeaders('listImports');
  return headers.get(totalCountHeader) ?? '';
}

async function readsLargeFile(): Promise<Verdict> {
  const rows = Array.from({ length: largeRows }, (_, at) => `Lamp ${at + 1},${at % 90}.50,L-${at + 1}`);
  const begunMs = performance.now();
  const { details, data } = await reads(csv('Title,Price,SKU', ...rows), {
    processed: largeRows,
    valid: largeRows,
  });
  const tookMs = performance.now() - begunMs;
  if (tookMs <= largeMsMax) return { details, data };
  return { status: 'warning', details: `${details} It took longer than ${largeMsMax / 1000} s.`, data };
}

const lampRow = 'Lamp,10,L-1';

const readCases: [name: string, file: string, expected: Expected][] = [
  [
    'Line breaks in cells',
    csv('Title,Price,Description', 'Lamp,10,"one\ntwo\r\nthree"', 'Vase,5,'),
    { processed: 2, valid: 2 },
  ],
  [
    'Missing titles and prices',
    csv('Title,Price,SKU', lampRow, 'Vase,,V-1', ',7,B-1', ',,C-1'),
    { valid: 1, warnings: 2, errors: 1 },
  ],
  [
    'Prices that are not numbers',
    csv('Title,Price', 'Lamp,call us', 'Vase,12.3.4', 'Bowl,"$1,299.00"'),
    { valid: 1, warnings: 2, prices: ['call us', '12.3.4', '$1,299.00'] },
  ],
  ['Duplicate rows', csv('Title,Price,SKU', lampRow, lampRow, lampRow), { processed: 3, totalProducts: 3 }],
  [
    'Unicode',
    csv('Title,Price', '茶杯 🍵,10', 'مصباح,12', 'Grüner Übertopf,9'),
    { valid: 3, titles: ['茶杯 🍵', 'مصباح', 'Grüner Übertopf'] },
  ],
  ['Byte order mark', `\uFEFF${csv('Title,Price', 'Lamp,10')}`, { valid: 1, titles: ['Lamp'] }],
  [
    'Semicolons and decimal commas',
    csv('Title;Price', 'Lampe;12,50', 'Vase;1.299,00', 'Tisch;8,90'),
    { processed: 3, valid: 3 },
  ],
  [
    'Too few and too many cells',
    csv('Title,Price,SKU', lampRow, 'Vase', 'Bowl,5,B-1,one,two'),
    { processed: 3, formattingProblems: 2 },
  ],
];

const refusedCases: readonly EdgeCase[] = [
  { name: 'Empty file', run: () => refuses(() => read(''), tooFewRecordsMessage) },
  { name: 'Header without rows', run: () => refuses(() => read('Title,Price\n'), tooFewRecordsMessage) },
  {
    name: 'Wrong file type',
    run: () => refuses(() => upload('notes.pdf', 'application/pdf', 'notes'), 'Please select a CSV file'),
  },
  {
    name: 'Damaged workbook',
    run: () =>
      refuses(
        () => upload('workbook.xlsx', '', 'PK\u0003\u0004 and so on'),
        'The file is damaged: it ends before its table of contents. It was probably cut off in transfer; get it again.',
      ),
  },
];

/** Returns the cases. The last case checks that the number of imports is the same as before the first case. */
function edgeCases(): EdgeCase[] {
  let importsBefore = '';
  return [
    {
      name: 'Quoted commas',
      run: async () => {
        importsBefore = await importCount();
        return reads(csv('Title,Price', '"Bowl, blue",10', '"Vase, ""tall"", red",12.50'), {
          valid: 2,
          titles: ['Bowl, blue', 'Vase, "tall", red'],
        });
      },
    },
    ...readCases.map(([name, file, expected]) => ({ name, run: () => reads(file, expected) })),
    {
      name: 'Long values',
      run: async () => {
        const file = csv('Title,Price', `${'x'.repeat(longTitleChars)},10`, 'Vase,5');
        const { details, data } = await reads(file, { valid: 2 });
        const longest = `The longest title has ${formatCount(longTitleChars)} characters.`;
        return { details: `${details} ${longest}`, data };
      },
    },
    ...refusedCases,
    { name: `Large file with ${countOf(largeRows, 'row')}`, run: readsLargeFile },
    {
      name: 'Nothing is kept',
      run: async () => {
        const importsNow = await importCount();
        const details = `Imports before the tests: ${importsBefore}, after them: ${importsNow}.`;
        if (importsNow === importsBefore) return { details };
        return {
          status: 'warning',
          details: `${details} If nobody else uploaded meanwhile, check the queue.`,
        };
      },
    },
  ];
}

const names = edgeCases().map(({ name }) => name);

/** Runs a case. An unexpected answer fails the case. Throws NoReplyError if the server cannot be reached. */
async function runEdgeCase({ name, run }: EdgeCase): Promise<TestResult> {
  const begunMs = performance.now();
  const took = () => performance.now() - begunMs;
  try {
    const { status = 'passed', details, data } = await run();
    return { name, status, details, duration: took(), data };
  } catch (error) {
    if (error instanceof NoReplyError) throw error;
    const details = error instanceof Error ? error.message : String(error);
    return { name, status: 'failed', details, duration: took() };
  }
}

export type TestResult = {
  name: string;
  status: 'passed' | 'failed' | 'warning';
  details: string;
  /** In milliseconds. */
  duration: number;
  data?: unknown;
};

type RunnerState = 'idle' | 'running' | 'complete';

type TestWord = 'PASS' | 'FAIL' | 'WARN' | 'RUN' | 'PENDING';

const words = { passed: 'PASS', failed: 'FAIL', warning: 'WARN' } as const;

export function testWord(result: TestResult | undefined, isRunning: boolean): TestWord {
  if (result !== undefined) return words[result.status];
  return isRunning ? 'RUN' : 'PENDING';
}

/** Example: '12 passed, 0 failed, 1 warning · 340 ms'. */
export function describeTestTotals(results: readonly TestResult[]): string {
  const count = (status: TestResult['status']) => results.filter((result) => result.status === status).length;
  const totalMs = results.reduce((sum, { duration }) => sum + duration, 0);
  const warnings = count('warning');
  return [
    `${formatCount(count('passed'))} passed, ${formatCount(count('failed'))} failed, `,
    `${formatCount(warnings)} ${warnings === 1 ? 'warning' : 'warnings'} of ${formatCount(results.length)}`,
    ` · ${formatCount(Math.round(totalMs))} ms`,
  ].join('');
}
