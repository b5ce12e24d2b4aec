import type { Row } from '@draftshelf/contract/rows';
import { ActionIcon, Button } from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import { formatCount } from '../../lib/intl.ts';
import { openerMark, useOpenProduct } from './product-dialogs.tsx';

type ProductButtonsProps = {
  row: Row;
  /** There is room for words on both buttons. */
  roomy?: boolean;
};

/** Opens all fields of a row, and the rows of its product if it has several: 'Row 2 of 5'. */
export function ProductButtons({ row, roomy = false }: ProductButtonsProps) {
  const open = useOpenProduct();
  if (open === null || row.ignored !== null) return null;
  const { ofProduct } = row;
  const dialog = {
    'aria-label': `Edit all fields of row ${row.row}`,
    onClick: () => open('dialog', row),
    ...openerMark('dialog', row.row),
  };
  return (
    <>
      {ofProduct !== null && (
        <Button
          size={roomy ? 'sm' : 'compact-sm'}
          variant="subtle"
          className="numbers"
          aria-label={`Row ${ofProduct.place} of ${ofProduct.rows}: show all rows of the product of row ${row.row}`}
          onClick={() => open('rows', row)}
          {...openerMark('rows', row.row)}
        >
          Row {formatCount(ofProduct.place)} of {formatCount(ofProduct.rows)}
        </Button>
      )}
      {roomy ? (
        <Button variant="subtle" leftSection={<IconForms size={16} aria-hidden />} {...dialog}>
          All Fields
        </Button>
      ) : (
        <ActionIcon variant="default" size={26} title="Edit all fields" {...dialog}>
          <IconForms size={16} aria-hidden />
        </ActionIcon>
      )}
    </>
  );
}
