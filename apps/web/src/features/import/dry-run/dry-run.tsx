import { Alert, Group, List, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ViewDrawer } from '../../../ui/editor-drawer.tsx';
import { FoldOut } from '../../../ui/feedback/fold-out.tsx';
import { usePlan, usePlannedProduct } from '../plan/plan-api.ts';
import { isWrong } from '../plan/plan-words.ts';
import type { ShownDryRun } from './dry-run-api.ts';
import { plannedEffect } from './effect-words.ts';
import type { useDryRun } from './use-dry-run.ts';

type DryRunProps = {
  importId: string;
  dryRun: ReturnType<typeof useDryRun>;
  /** Something else is open in its place. */
  isCovered: boolean;
  /** What a push would do with all products. */
  children: ReactNode;
};

/** The result of a dry run, over the screen. */
export function DryRun({ importId, dryRun, isCovered, children }: DryRunProps) {
  return (
    <DryRunDialog
      opened={dryRun.shown !== null && !isCovered}
      importId={importId}
      run={dryRun.shown}
      isPending={dryRun.isPending}
      onShow={dryRun.show}
      onClose={dryRun.close}
    >
      {children}
    </DryRunDialog>
  );
}

type DryRunDialogProps = {
  importId: string;
  opened: boolean;
  run: ShownDryRun | null;
  isPending: boolean;
  onShow: (at: number) => void;
  onClose: () => void;
  /** What a push would do with all products. */
  children: ReactNode;
};

/** What a push would do with all products, and the result of a dry run for the first ones, one by one. */
function DryRunDialog({ opened, onClose, children, run, ...props }: DryRunDialogProps) {
  return (
    <ViewDrawer opened={opened} title="Dry run" width={880} onClose={onClose}>
      <Stack gap="md">
        {children}
        {run && <Result {...props} run={run} />}
      </Stack>
    </ViewDrawer>
  );
}

type ResultProps = Pick<DryRunDialogProps, 'importId' | 'isPending' | 'onShow'> & { run: ShownDryRun };

function Result({ importId, run, isPending, onShow }: ResultProps) {
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
        <Effect importId={importId} product={product?.product} result={result} />
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

type EffectProps = { importId: string; product: number | undefined; result: ShownDryRun['result'] };

/** What the push would do with a product: by the plan, if nothing has changed since. */
function Effect({ importId, product, result }: EffectProps): ReactNode {
  const plan = usePlan(importId).data;
  if (result === null) return 'The push would skip this product. Put its rows back to send it.';
  const { passed, missing } = result.validation;
  if (!passed) return `The push would skip this product. Add: ${missing.join(', ')}.`;
  if (product !== undefined && plan?.state === 'ready' && plan.push === null && !isWrong(plan)) {
    return <PlannedEffect importId={importId} product={product} />;
  }
  return 'The push would send this product, unless the store already has it. Nothing was written to the store.';
}

/** Nothing meanwhile, and in the same place. */
function PlannedEffect({ importId, product }: { importId: string; product: number }): ReactNode {
  const planned = usePlannedProduct(importId, product).data;
  return planned === undefined ? '\u00a0' : plannedEffect(planned);
}
