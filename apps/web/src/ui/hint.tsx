import {
  type ButtonProps,
  Group,
  Stack,
  type StackProps,
  Title,
  type TitleOrder,
  Tooltip,
  type TooltipProps,
} from '@mantine/core';
import { type Icon, IconHelpCircle } from '@tabler/icons-react';
import { type MouseEventHandler, type ReactElement, type ReactNode, type Ref, useState } from 'react';
import { formatClock } from '../lib/intl.ts';
import { Button, IconButton, QuietText, TextButton } from './basics.tsx';
import { formatKey, type Hotkey } from './keys.ts';

/** Delay on hover. Keyboard focus opens a hint at once. */
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

/** Help texts by topic. */
export const helpTexts = {
  'file upload':
    'Choose or drop a CSV file up to 50MB. It’s stored unchanged and checked before anything reaches your store.',
  'field mapping':
    'Columns are matched by their headers. 40+ header variations are recognized for title, price, SKU, UPC and other fields.',
  'AI validation':
    'In rows with a UPC, fills missing images and brands from other values in the row. Whether a row has a title and a valid price is always checked. If an AI service is set up, you can ask it for proposals on the import’s page.',
  'UPC lookup':
    'Finds missing images, brands, descriptions and categories by UPC: in your earlier imports, in your store, and in the services that are on in Settings → Connections. Your own values are never replaced.',
  'draft mode':
    'Products are created as drafts, so customers see a product only after someone has checked it.',
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

type AsOfProps = {
  /** The poll that reads the data. */
  reading: { isError: boolean; data: unknown; dataUpdatedAt: number; error: Error | null };
};

/** The time of the data, shown only if the last poll has failed. */
export const LastReadTime = ({ reading: { isError, data, dataUpdatedAt, error } }: AsOfProps) =>
  !isError || data === undefined ? null : (
    <Hint
      text={`Not updated since then: ${error?.message ?? 'unknown cause'}. Draftshelf tries again every two seconds.`}
    >
      <QuietText span fw={400} className="numbers" tabIndex={0}>
        as of {formatClock(dataUpdatedAt)}
      </QuietText>
    </Hint>
  );

type ReasonedButtonProps = Omit<ButtonProps, 'loading'> & {
  icon?: Icon;
  iconSize?: number;
  loading?: boolean | undefined;
  /** The reason why the button is disabled; null if it is enabled. */
  reason: string | null;
  /** Hint of an enabled button. */
  hint?: string;
  /** The key that runs the same action. */
  hotkey?: Hotkey | null;
  onClick: MouseEventHandler<HTMLButtonElement>;
  id?: string;
  'aria-label'?: string;
  /** Description for screen readers, after the name. */
  description?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
};

/**
 * A button with a hint on hover and focus. If the button is disabled, the hint is the reason, else the button's effect
 * or key. A disabled button keeps the focus.
 */
export function HintedButton({
  reason,
  hint,
  description,
  onClick,
  hotkey = null,
  ...button
}: ReasonedButtonProps) {
  const isBlocked = reason !== null;
  return (
    <Hint text={reason ?? hint ?? (hotkey && `${hotkey.does} ${formatKey(hotkey.key)}`)}>
      <Button
        {...button}
        aria-description={description}
        aria-keyshortcuts={hotkey === null ? undefined : `Shift+${hotkey.key}`}
        aria-disabled={isBlocked || undefined}
        data-disabled={isBlocked || undefined}
        onClick={isBlocked ? (event) => event.preventDefault() : onClick}
      />
    </Hint>
  );
}

const withLook =
  (look: Pick<ButtonProps, 'variant' | 'size'>): typeof HintedButton =>
  (props) => <HintedButton {...look} {...props} />;

/** A button in a line of a list. */
export const SmallHintedButton = withLook({ variant: 'default', size: 'compact-sm' });
/** A button in a line of text. */
export const TextHintedButton = withLook({ variant: 'subtle', size: 'compact-sm' });
/** A button above a list. */
export const PlainHintedButton = withLook({ variant: 'default', size: 'compact-md' });

type TitledSectionProps = Omit<StackProps, 'title'> & {
  id: string;
  title: ReactNode;
  order?: TitleOrder;
  help?: HelpTopic;
  headClass?: string | undefined;
  /** State and buttons at the end of the section's head. */
  controls?: ReactNode;
  /** Whether the section is folded at first. Absent: it cannot be folded. */
  folded?: boolean;
  'data-focus-next'?: string;
  children: ReactNode;
};

export function TitledSection({
  id,
  title,
  order = 2,
  help,
  headClass = '',
  controls,
  folded,
  children,
  ...stack
}: TitledSectionProps) {
  const [isOpen, setOpen] = useState(!folded);
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby={id} {...stack}>
      <Group gap="xs">
        <Title order={order} id={id} tabIndex={-1} className={headClass}>
          {title}
        </Title>
        {help && <HelpTip topic={help} />}
        {folded !== undefined && (
          <TextButton
            id={`${id}-fold`}
            color="gray"
            aria-expanded={isOpen}
            aria-labelledby={`${id}-fold ${id}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Show'}
          </TextButton>
        )}
        {controls !== undefined && <div className="row-wrap gap-sm to-the-end">{controls}</div>}
      </Group>
      {isOpen && children}
    </Stack>
  );
}
