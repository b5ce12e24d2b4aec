import { Tooltip, type TooltipProps } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { IconButton } from './button.tsx';

/** The specification's delay. The keyboard's focus opens a hint at once. */
const delayMs = 700;
const events = { hover: true, focus: true, touch: true };

type HintProps = { text: string | null; children: ReactElement } & Pick<TooltipProps, 'maw' | 'w'>;

export const Hint = ({ text, children, ...size }: HintProps) => (
  <Tooltip
    label={text}
    disabled={text === null}
    multiline
    maw={280}
    openDelay={delayMs}
    events={events}
    {...size}
  >
    {children}
  </Tooltip>
);

export const HelpTip = ({ topic, more }: { topic: HelpTopic; more?: string | null }) => (
  <Hint text={more ? `${helpTexts[topic]} ${more}` : helpTexts[topic]} w={280}>
    <IconButton
      icon={IconHelpCircle}
      size="sm"
      radius="xl"
      style={{ verticalAlign: 'middle' }}
      label={`Help: ${topic}`}
    />
  </Hint>
);

/** The specification names the topics. */
export const helpTexts = {
  'file upload':
    'Choose or drop a CSV file up to 50MB. It’s stored unchanged and checked before anything reaches your store.',
  'field mapping':
    'Columns are matched by their headers. 40+ header variations are recognized for title, price, SKU, UPC and other fields.',
  'AI validation':
    'Fills missing images and brands of rows with a UPC from other values in the same row. Whether a row has a title and a valid price is always checked. If an AI service is set up, you can ask it for proposals on the import’s page.',
  'UPC lookup':
    'Finds missing images, brands, descriptions and categories by UPC: in your earlier imports, in your store, and in the services that are on in Settings → Connections. Your own values are never replaced.',
  'draft mode': 'Products are created as drafts, so nothing goes on sale before someone has checked it.',
  'batch processing':
    'Products are sent in batches of at most 25, whatever the size of the file, so you can pause a long import at any point.',
  'inventory sync':
    'Updates Draftshelf with quantities and statuses from your store. It never changes your store.',
  'error handling':
    'One bad row never stops the rest. Temporary failures are retried; everything else is listed with its cause.',
  'progress tracking': 'The bar shows progress through the current stage and updates every two seconds.',
  'store integration': 'Draftshelf creates and updates products in one store through the Shopify Admin API.',
} as const;

export type HelpTopic = keyof typeof helpTexts;
