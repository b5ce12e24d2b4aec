import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pollMs, readOf } from '../../../api/call.ts';
import { BodyText, SmallText } from '../../../ui/basics.tsx';
import { Gauge } from '../../../ui/charts/spark.tsx';
import { budgetWords, refillRateWords } from './lookup-words.ts';

/** Renders nothing before the store's first reply. */
export function BudgetGauge() {
  const budget = useQuery({ ...readOf('getStoreBudget'), staleTime: 0, refetchInterval: pollMs.storeBudget })
    .data?.budget;
  if (!budget) return null;
  return (
    <Stack gap={6}>
      <BodyText className="numbers">{budgetWords(budget)}</BodyText>
      <Gauge
        label="Points of the store’s budget"
        value={Math.floor(budget.points)}
        max={budget.maximum}
        words={budgetWords(budget)}
        mark={{ value: budget.productPoints, words: `A product takes about ${budget.productPoints} points` }}
      />
      <SmallText className="numbers">{refillRateWords(budget)}</SmallText>
    </Stack>
  );
}
