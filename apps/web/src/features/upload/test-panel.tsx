import { Badge, Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../lib/intl.ts';
import { PlainButton } from '../../ui/button.tsx';
import { useFailureToast, useToast } from '../../ui/feedback/toast.tsx';
import { type Column, RecordTable } from '../../ui/table/record-table.tsx';
import { BodyText, QuietText } from '../../ui/text.tsx';
import {
  edgeCases,
  type RunnerState,
  runEdgeCase,
  type TestResult,
  type TestWord,
  testWord,
  totalsOf,
} from './edge-cases.ts';
import classes from './upload.module.css';

const colors: Record<Exclude<TestWord, 'PENDING'>, string> = {
  PASS: 'green',
  FAIL: 'red',
  WARN: 'yellow',
  RUN: 'blue',
};
/** A test that was not requested is not a task of the operator. */
const quiet = { variant: 'transparent', c: 'dimmed' } as const;

/** Nothing is stored. */
export function TestPanel() {
  const { state, results, names, start } = useTestRun();
  return (
    <Stack component="section" aria-label="System Edge Case Testing" gap="xs" data-state={state}>
      <Group justify="space-between" gap="xs">
        <Title order={2}>System Edge Case Testing</Title>
        <PlainButton size="compact-md" busy={state === 'running'} onClick={start}>
          Run All Tests
        </PlainButton>
      </Group>
      <QuietText>
        A test of the server, not of your files: it checks how difficult files are read. Nothing is stored,
        and the queue doesn’t change.
      </QuietText>
      <BodyText className="numbers" role="status" mih={20}>
        {state === 'idle' ? 'Not run yet.' : `${state === 'running' ? 'Running: ' : ''}${totalsOf(results)}`}
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

const names = edgeCases().map(({ name }) => name);

function useTestRun() {
  const [state, setState] = useState<RunnerState>('idle');
  const [results, setResults] = useState<readonly TestResult[]>([]);
  const toast = useToast();
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
  return { state, results, names, start };
}
