import { Stack, Text } from '@mantine/core';
import { Gauge } from '../../../ui/charts/spark.tsx';
import { useStoreBudget } from '../prices/prices.ts';
import { budgetWords, refillWords } from './lookup-words.ts';

/** Nothing before the store's first reply. */
export function BudgetGauge() {
  const budget = useStoreBudget();
  if (!budget) return null;
  return (
    <Stack gap={6}>
      <Text size="sm" className="numbers">
        {budgetWords(budget)}
      </Text>
      <Gauge
        label="Points of the store’s budget"
        value={Math.floor(budget.points)}
        max={budget.maximum}
        words={budgetWords(budget)}
        mark={{ value: budget.productPoints, words: `A product takes about ${budget.productPoints} points` }}
      />
      <Text size="xs" c="dimmed" className="numbers">
        {refillWords(budget)}
      </Text>
    </Stack>
  );
}
