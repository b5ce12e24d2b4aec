import type { RereadPreview } from '@draftshelf/contract/reading/reread-preview';
import { Table, Text } from '@mantine/core';
import { formatCount } from '../../../lib/intl.ts';
import { TableRegion } from '../../../ui/table/table-region.tsx';
import classes from './reread.module.css';

/** The first records of a file as another reading has them. */
export function RereadSample({ reading }: { reading: NonNullable<RereadPreview['after']> }) {
  const { headers, records } = reading;
  return (
    <div>
      <Text size="sm" fw={550}>
        First {records.length === 1 ? 'row' : `${formatCount(records.length)} rows`}
      </Text>
      <TableRegion label="First rows as they would be read">
        <Table verticalSpacing={2} horizontalSpacing={8} className={classes.records ?? ''}>
          <Table.Thead>
            <Table.Tr>
              {headers.map((header, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
                <Table.Th key={at} dir="auto">
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {records.map(({ row, cells }) => (
              <Table.Tr key={row}>
                {cells.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
                  <Table.Td key={at} dir="auto" title={cell}>
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableRegion>
    </div>
  );
}
