import { List, Stack, Text, Title } from '@mantine/core';
import { HelpTip } from '../../ui/help/help-tip.tsx';
import { RecordTable } from '../../ui/table/record-table.tsx';
import { limitNote } from './files/file-refusal.ts';
import classes from './upload.module.css';
import { fileBytesMax } from './upload-api.ts';

/** The specification's field table, verbatim. */
const fieldTable = [
  { field: 'Title', aliases: 'title, name, product_title, product_name', required: true },
  { field: 'Price', aliases: 'price, cost, amount, value', required: true },
  { field: 'UPC', aliases: 'upc, barcode, ean, gtin', required: false },
  { field: 'Brand', aliases: 'brand, vendor, manufacturer', required: false },
  { field: 'Description', aliases: 'description, details, summary', required: false },
  { field: 'Quantity', aliases: 'quantity, stock, inventory, qty', required: false },
] as const;

const cards = () => [
  { value: 'CSV only', note: 'Or an Excel workbook, or a ZIP or GZ archive with one list' },
  { value: '50MB per file', note: limitNote(fileBytesMax()) ?? 'Streamed, so size doesn’t slow you down' },
  {
    value: '50+ products per batch',
    note: 'Large files are split, and sent to the store at most 25 products at a time',
  },
];

/** Information about files: the expected fields, the limits and how files are processed. */
export function AboutFiles() {
  return (
    <div className={classes.columns}>
      <Stack gap="xs">
        <Title order={2}>
          Expected fields <HelpTip topic="field mapping" />
        </Title>
        <RecordTable
          label="Expected fields"
          records={fieldTable}
          keyOf={({ field }) => field}
          columns={[
            { head: 'Field', cell: ({ field }) => field },
            { head: 'Aliases', cell: ({ aliases }) => aliases },
            { head: 'Required', cell: ({ required }) => (required ? 'yes' : 'no') },
          ]}
        />
      </Stack>
      <Stack gap="md">
        <div className={classes.cards}>
          {cards().map(({ value, note }) => (
            <div key={value} className="panel">
              <Text fw={600}>{value}</Text>
              <Text size="sm" c="dimmed">
                {note}
              </Text>
            </div>
          ))}
        </div>
        <Stack gap="xs">
          <Title order={2}>Notes</Title>
          <List spacing={4}>
            <List.Item>
              50 products per batch <HelpTip topic="batch processing" />
            </List.Item>
            <List.Item>UPC duplicate detection</List.Item>
            <List.Item>auto-categorization to collections</List.Item>
            <List.Item>
              draft mode <HelpTip topic="draft mode" />
            </List.Item>
            <List.Item>
              real-time progress <HelpTip topic="progress tracking" />
            </List.Item>
          </List>
        </Stack>
      </Stack>
    </div>
  );
}
