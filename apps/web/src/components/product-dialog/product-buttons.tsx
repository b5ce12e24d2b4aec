import type { Row } from '@draftshelf/contract/rows';
import { IconForms } from '@tabler/icons-react';
import { formatCount } from '../../lib/intl.ts';
import { ActionIcon, Button } from '../button.tsx';
import { openerMark, useOpenProduct } from './product-dialogs.tsx';

/** Opens the dialog with all fields of a row. */
export function AllFieldsButton({ row }: { row: Row }) {
  const open = useOpenProduct();
  if (open === null || row.ignored !== null) return null;
  return (
    <ActionIcon
      variant="default"
      size={26}
      title="Edit all fields"
      aria-label={`Edit all fields of row ${row.row}`}
      onClick={() => open('dialog', row)}
      {...openerMark('dialog', row.row)}
    >
      <IconForms size={16} aria-hidden />
    </ActionIcon>
  );
}

type ProductRowsProps = {
  row: Row;
  /** There is room for a large button. */
  roomy?: boolean;
};

/** Opens the rows of a product that has several: 'Row 2 of 5'. Nothing for other products. */
export function ProductRowsButton({ row, roomy = false }: ProductRowsProps) {
  const open = useOpenProduct();
  const { ofProduct } = row;
  if (open === null || ofProduct === null) return null;
  return (
    <Button
      size={roomy ? 'sm' : 'compact-xs'}
      variant="subtle"
      {...(roomy ? {} : { h: 18, px: 2, ml: -2 })}
      className="numbers"
      aria-label={`Row ${ofProduct.place} of ${ofProduct.rows}: show all rows of the product of row ${row.row}`}
      onClick={() => open('rows', row)}
      {...openerMark('rows', row.row)}
    >
      Row {formatCount(ofProduct.place)} of {formatCount(ofProduct.rows)}
    </Button>
  );
}
