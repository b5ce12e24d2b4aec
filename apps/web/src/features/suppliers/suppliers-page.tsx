import type { SupplierSummary } from '@draftshelf/contract/suppliers/supplier-page';
import { Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { Link } from 'react-router';
import { loaderOf } from '../../api/loader.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath, supplierPath } from '../../lib/paths.ts';
import { EmptyState } from '../../ui/brand.tsx';
import { Button } from '../../ui/button.tsx';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RecordList } from '../../ui/table/record-list.tsx';
import type { Column } from '../../ui/table/record-table.tsx';
import { QuietText, RelativeTime } from '../../ui/text.tsx';
import { CutLink } from './supplier-lists.tsx';
import classes from './suppliers.module.css';
import { summariesRead, toDoOf, useSummaries } from './suppliers-api.ts';

const tableRem = 44;

export function Component() {
  const suppliers = useSummaries();
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
          <Button component={Link} to="/upload" mt="sm" leftSection={<IconUpload size={16} aria-hidden />}>
            Upload CSV
          </Button>
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

Component.loader = loaderOf(() => [summariesRead()]);

type Of = { supplier: SupplierSummary };

const columns: Column<SupplierSummary>[] = [
  { head: 'Supplier', cell: (supplier) => <Name supplier={supplier} /> },
  { head: 'Products', rem: 7, align: 'right', className: 'numbers', cell: productsOf },
  { head: 'Last list', rem: 20, narrowRem: 14, cell: (supplier) => <LastList supplier={supplier} /> },
  { head: 'To do', rem: 17, narrowRem: 13, cell: (supplier) => <ToDo supplier={supplier} /> },
];

function productsOf({ products }: SupplierSummary) {
  return products === null ? '–' : formatCount(products);
}

const Name = ({ supplier: { id, name } }: Of) => (
  <strong>
    <CutLink to={supplierPath(id)}>{name}</CutLink>
  </strong>
);

function LastList({ supplier: { last } }: Of) {
  if (last === null) return 'No list';
  const { importId, filename, beganAt } = last;
  return (
    <span className="flex gap-xs shrink">
      <CutLink to={importId && importPath(importId)}>{filename}</CutLink>
      <span className="rigid dim">
        <RelativeTime time={beganAt} />
      </span>
    </span>
  );
}

function ToDo({ supplier }: Of) {
  const toDo = toDoOf(supplier);
  if (supplier.leaving !== null) return <span title={supplier.leaving}>{supplier.leaving}</span>;
  if (toDo === null) return <span className="quiet">Nothing</span>;
  return <CutLink to={toDo.path}>{toDo.words}</CutLink>;
}
