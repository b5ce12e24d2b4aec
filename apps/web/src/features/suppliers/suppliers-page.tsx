import type { SupplierSummary } from '@draftshelf/contract/suppliers/supplier-page';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pollMs } from '../../api/call.ts';
import { createLoader } from '../../api/query-client.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath, supplierPath } from '../../lib/paths.ts';
import { EllipsisLink, QuietText, RelativeTime } from '../../ui/basics.tsx';
import { EmptyState } from '../../ui/brand.tsx';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import { PageHeader, UploadLink } from '../../ui/page-header.tsx';
import { type Column, RecordList } from '../../ui/table/record-table.tsx';
import classes from './suppliers.module.css';
import { findSupplierToDo, summariesRead } from './suppliers-api.ts';

const tableRem = 44;

export function Component() {
  const suppliers = useQuery({
    ...summariesRead(),
    refetchInterval: ({ state }) => state.data?.some(({ leaving }) => leaving !== null) && pollMs.suppliers,
  });
  return (
    <Stack gap="lg">
      <title>Suppliers · Draftshelf</title>
      <PageHeader
        title="Suppliers"
        subtitle="Who sends your lists. What you change in a product is carried into the next list of its supplier."
      />
      <ReadFailure what="the suppliers" reads={[suppliers]} />
      {suppliers.data?.length === 0 ? (
        <EmptyState>
          <Text fw={600}>A supplier appears here after its first list.</Text>
          <UploadLink mt="sm" />
        </EmptyState>
      ) : (
        <RecordList
          label="Suppliers"
          isOneStop
          columns={columns}
          records={suppliers.data}
          tableRem={tableRem}
          card={(supplier) => (
            <li key={supplier.id} className={`panel stack ${classes.card} gap-tight pad-sm`}>
              <Name supplier={supplier} />
              <QuietText component="div" className="numbers break-words">
                {supplier.products !== null && `${countOf(supplier.products, 'product')} · `}
                {supplier.last === null ? (
                  'No list'
                ) : (
                  <>
                    {supplier.last.filename} · <RelativeTime time={supplier.last.beganAt} />
                  </>
                )}
              </QuietText>
              <ToDo supplier={supplier} />
            </li>
          )}
        />
      )}
    </Stack>
  );
}

Component.loader = createLoader(() => [summariesRead()]);

type Of = { supplier: SupplierSummary };

const columns: Column<SupplierSummary>[] = [
  { head: 'Supplier', cell: (supplier) => <Name supplier={supplier} /> },
  {
    head: 'Products',
    rem: 7,
    align: 'right',
    className: 'numbers',
    cell: (supplier) => productsOf(supplier),
  },
  { head: 'Last list', rem: 20, narrowRem: 14, cell: (supplier) => <LastList supplier={supplier} /> },
  { head: 'To do', rem: 17, narrowRem: 13, cell: (supplier) => <ToDo supplier={supplier} /> },
];

const productsOf = ({ products }: SupplierSummary) => (products === null ? '–' : formatCount(products));

const Name = ({ supplier: { id, name } }: Of) => (
  <strong>
    <EllipsisLink to={supplierPath(id)}>{name}</EllipsisLink>
  </strong>
);

function LastList({ supplier: { last } }: Of) {
  if (last === null) return 'No list';
  const { importId, filename, beganAt } = last;
  return (
    <span className="flex gap-xs shrink">
      <EllipsisLink to={importId && importPath(importId)}>{filename}</EllipsisLink>
      <span className="rigid dim">
        <RelativeTime time={beganAt} />
      </span>
    </span>
  );
}

function ToDo({ supplier }: Of) {
  const toDo = findSupplierToDo(supplier);
  if (supplier.leaving !== null) return <span title={supplier.leaving}>{supplier.leaving}</span>;
  if (toDo === null) return <span className="quiet">Nothing</span>;
  return <EllipsisLink to={toDo.path}>{toDo.words}</EllipsisLink>;
}
