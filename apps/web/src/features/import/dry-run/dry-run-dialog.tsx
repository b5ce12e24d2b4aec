import { Alert, Group, List, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ViewDrawer } from '../../../ui/editor-drawer.tsx';
import { FoldOut } from '../../../ui/feedback/fold-out.tsx';
import type { ShownDryRun } from './use-dry-run.ts';

type DryRunDialogProps = {
  opened: boolean;
  run: ShownDryRun | null;
  isPending: boolean;
  onShow: (at: number) => void;
  onClose: () => void;
  /** What a push would do with all products. */
  children: ReactNode;
};

/** What a push would do with all products, and the result of a dry run for the first ones, one by one. */
export function DryRunDialog({ opened, run, isPending, onShow, onClose, children }: DryRunDialogProps) {
  return (
    <ViewDrawer opened={opened} title="Dry run" width={880} onClose={onClose}>
      <Stack gap="md">
        {children}
        {run && <Result run={run} isPending={isPending} onShow={onShow} />}
      </Stack>
    </ViewDrawer>
  );
}

function Result({
  run,
  isPending,
  onShow,
}: Pick<DryRunDialogProps, 'isPending' | 'onShow'> & { run: ShownDryRun }) {
  const { result, products, at } = run;
  const product = products[at];
  const isPassed = result?.validation.passed === true;
  const warnings = [...(product?.unsent ?? []), ...(result?.validation.warnings ?? [])];
  return (
    <Stack gap="md">
      <Title order={3} dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {product?.title || `Row ${product?.row}`}
      </Title>
      <Alert
        role="status"
        color={isPassed ? 'green' : 'red'}
        icon={isPassed ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={result?.validation.message ?? 'Left out of the push'}
      >
        {effectWords(result)}
      </Alert>
      {warnings.length > 0 && (
        <Stack gap={4}>
          <Text size="sm" fw={550}>
            Worth checking
          </Text>
          <List size="sm" spacing={4}>
            {warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </Stack>
      )}
      {result?.payload && <FoldOut what="Payload" text={JSON.stringify(result.payload, null, 2)} />}
      {products.length > 1 && (
        <Group justify="space-between">
          <Button variant="default" busy={isPending} disabled={at === 0} onClick={() => onShow(at - 1)}>
            Previous
          </Button>
          <Text size="sm" c="dimmed" className="numbers" aria-live="polite">
            {`Product ${at + 1} of ${products.length} on the first page of rows`}
          </Text>
          <Button
            variant="default"
            busy={isPending}
            disabled={at === products.length - 1}
            onClick={() => onShow(at + 1)}
          >
            Next
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function effectWords(result: ShownDryRun['result']): string {
  if (result === null) return 'The push would skip this product. Put its rows back to send it.';
  const { passed, missing } = result.validation;
  return passed
    ? 'The push would send this product, unless the store already has it. Nothing was written to the store.'
    : `The push would skip this product. Add: ${missing.join(', ')}.`;
}
