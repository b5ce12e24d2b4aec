import type { PlannedProduct } from '@draftshelf/contract/push/plan';
import type { DryRunResult } from '@draftshelf/contract/push/store';
import { Alert, Group, List, Stack, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api/call.ts';
import { BodyText, PlainButton, QuietText } from '../../../ui/basics.tsx';
import { FoldedText } from '../../../ui/feedback/read.tsx';
import { useCalls } from '../../../ui/feedback/use-call.ts';
import { loadChunk } from '../../../ui/later.tsx';
import { ViewDrawer } from '../../../ui/overlays.tsx';
import { usePlan, usePlannedProduct } from '../plan/plan-api.ts';
import { isPlanWrong, partsWords } from '../plan/plan-words.ts';
import { rowsPerPage } from '../rows-api.ts';
import type { DryRunProduct } from './posted-products.ts';

type DryRunProps = {
  importId: string;
  dryRun: ReturnType<typeof useDryRun>;
  /** True while another drawer covers the dry run. */
  isCovered: boolean;
  children: ReactNode;
};

export function DryRun({ importId, dryRun, isCovered, children }: DryRunProps) {
  const { shown, close } = dryRun;
  return (
    <ViewDrawer opened={shown !== null && !isCovered} title="Dry run" width={880} onClose={close}>
      <Stack gap="md">
        {children}
        {shown && <Result importId={importId} run={shown} {...dryRun} />}
      </Stack>
    </ViewDrawer>
  );
}

type ResultProps = Pick<DryRunProps['dryRun'], 'isPending' | 'show'> & {
  importId: string;
  run: ShownDryRun;
};

function Result({ importId, run, isPending, show }: ResultProps) {
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
          <BodyText fw={550}>Worth checking</BodyText>
          <List size="sm" spacing={4}>
            {warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </Stack>
      )}
      {result?.payload && <FoldedText what="Payload" text={JSON.stringify(result.payload, null, 2)} />}
      {products.length > 1 && (
        <Group justify="space-between">
          <PlainButton busy={isPending} disabled={at === 0} onClick={() => show(at - 1)}>
            Previous
          </PlainButton>
          <QuietText className="numbers" aria-live="polite">
            {`Product ${at + 1} of ${products.length} on the first page of rows`}
          </QuietText>
          <PlainButton busy={isPending} disabled={at === products.length - 1} onClick={() => show(at + 1)}>
            Next
          </PlainButton>
        </Group>
      )}
    </Stack>
  );
}

type EffectProps = { importId: string; product: number | undefined; result: ShownDryRun['result'] };

/** Describes what a push would do with the product. Uses the push plan if the plan is not outdated. */
function Effect({ importId, product, result }: EffectProps): ReactNode {
  const plan = usePlan(importId).data;
  if (result === null) return 'The push would skip this product. Put its rows back to send it.';
  const { passed, missing } = result.validation;
  if (!passed) return `The push would skip this product. Add: ${missing.join(', ')}.`;
  if (product !== undefined && plan?.state === 'ready' && plan.push === null && !isPlanWrong(plan)) {
    return <PlannedEffect importId={importId} product={product} />;
  }
  return 'The push would send this product, unless the store already has it. Nothing was written to the store.';
}

/** Keeps the line's height while the plan loads. */
function PlannedEffect({ importId, product }: { importId: string; product: number }): ReactNode {
  const planned = usePlannedProduct(importId, product).data;
  return planned === undefined ? '\u00a0' : plannedEffectWords(planned);
}

/** `result` is null if the product is left out of the push, because there is no variant to check then. */
type ShownDryRun = { result: DryRunResult | null; products: readonly DryRunProduct[]; at: number };

async function dryRunFirst(importId: string): Promise<ShownDryRun> {
  const products = await readProducts(importId);
  return dryRunAt(products, await firstChanged(importId, products));
}

async function dryRunAt(products: readonly DryRunProduct[], at: number): Promise<ShownDryRun> {
  const product = products[at];
  if (!product) throw new Error('No CSV data available');
  if (product.isLeftOut) return { products, at, result: null };
  return { products, at, result: await call('dryRun', { body: { product: product.posted } }) };
}

/** Throws if there are no rows. */
async function readProducts(importId: string): Promise<DryRunProduct[]> {
  const { job: record } = await call('getImport', { params: { id: importId } });
  if (!record.csvData || record.csvData.length === 0) throw new Error('No CSV data available');
  if (!record.processedData || record.processedData.length === 0)
    throw new Error('No processed data available');
  const page = await call('listRows', { params: { id: importId }, query: { limit: rowsPerPage } });
  const { postedProducts } = await loadChunk(() => import('./posted-products.ts'));
  return postedProducts(page.rows);
}

/** Returns the index of the first product that a push would create or update according to the plan, or else 0. */
async function firstChanged(importId: string, products: readonly DryRunProduct[]): Promise<number> {
  const [first] = products;
  if (first === undefined) return 0;
  const query = { from: first.product };
  const planned = await call('listPlannedProducts', { params: { id: importId }, query });
  const changes = ({ outcome }: PlannedProduct) => outcome === 'created' || outcome === 'updated';
  const changed = new Set(planned.products.filter(changes).map(({ product }) => product));
  return Math.max(
    0,
    products.findIndex(({ product }) => changed.has(product)),
  );
}

export function useDryRun(importId: string) {
  const [run, setRun] = useState<ShownDryRun | null>(null);
  const { mutate, isPending } = useCalls(
    (next: () => Promise<ShownDryRun>) => next(),
    () => [],
    {
      failed: 'Dry Run Failed',
      onSuccess: setRun,
      onError: (error) => console.error('Draftshelf: Dry Run Failed', error),
    },
  );
  return {
    shown: run,
    isPending,
    start: () => mutate(() => dryRunFirst(importId)),
    show: (at: number) => run && mutate(() => dryRunAt(run.products, at)),
    close: () => setRun(null),
  };
}

/** Example: 'The push would update this product and change its price. …' */
export function plannedEffectWords({
  outcome,
  message,
  parts,
}: Pick<PlannedProduct, 'outcome' | 'message' | 'parts'>): string {
  const written = 'Nothing was written to the store.';
  if (outcome === 'created') return `The push would create this product. ${written}`;
  if (outcome === 'unchanged') return `The push would leave this product as it is in the store. ${written}`;
  if (outcome !== 'updated') return `The push would skip this product. ${message ?? ''}`.trim();
  const changes = parts.length === 0 ? '' : ` and change its ${partsWords(parts)}`;
  return `The push would update this product${changes}. ${written}`;
}
