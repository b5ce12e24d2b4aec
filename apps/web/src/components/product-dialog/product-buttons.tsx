import type { Row } from '@draftshelf/contract/rows';
import { ActionIcon, Button } from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import { formatCount } from '../../lib/intl.ts';
import { openerMark, useOpenProduct } from './product-dialogs.tsx';

type RowButtonProps = {
  row: Row;
  /** There is room for a large button with words. */
  roomy?: boolean;
};

/** Opens the dialog with all fields of a row. */
export function AllFieldsButton({ row, roomy = false }: RowButtonProps) {
  const open = useOpenProduct();
  if (open === null || row.ignored !== null) return null;
  const button = {
    'aria-label': `Edit all fields of row ${row.row}`,
    onClick: () => open('dialog', row),
    ...openerMark('dialog', row.row),
  };
  if (roomy) {
    return (
      <Button variant="subtle" leftSection={<IconForms size={16} aria-hidden />} {...button}>
        All Fields
      </Button>
    );
  }
  return (
    <ActionIcon variant="default" size={26} title="Edit all fields" {...button}>
      <IconForms size={16} aria-hidden />
    </ActionIcon>
  );
}

/** Opens the rows of a product that has several: 'Row 2 of 5'. Nothing for other products. */
export function ProductRowsButton({ row, roomy = false }: RowButtonProps) {
  const open = useOpenProduct();
  const { ofProduct } = row;
  if (open === null || ofProduct === null) return null;
  return (
    <Button
      size={roomy ? 'sm' : 'compact-xs'}
      variant="subtle"
      className="numbers"
      aria-label={`Row ${ofProduct.place} of ${ofProduct.rows}: show all rows of the product of row ${row.row}`}
      onClick={() => open('rows', row)}
      {...openerMark('rows', row.row)}
    >
      Row {formatCount(ofProduct.place)} of {formatCount(ofProduct.rows)}
    </Button>
  );
}
