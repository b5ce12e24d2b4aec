import { Drawer, type DrawerProps, Group, Modal, type ModalProps } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { PlainButton } from './basics.tsx';
import { ConfirmDialog } from './feedback/confirm.tsx';
import { HintedButton } from './hint.tsx';
import { useIsNarrow, useMedia } from './hooks.ts';
import classes from './overlays.module.css';
import { TabStopsContext } from './table/tab-stops.tsx';

type TallDialogProps = Omit<ModalProps, 'classNames' | 'padding' | 'fullScreen'> & {
  /** The largest device whose window the dialog fills. If absent, the dialog never fills the window. */
  fills?: 'phone' | 'tablet';
  header?: string | undefined;
};

const narrow = { phone: '(max-width: 47.99em)', tablet: '(max-width: 61.99em)' };

/** A dialog as high as the window, whose header and footer stay while its content scrolls. */
export function TallDialog({ fills, header = '', ...props }: TallDialogProps) {
  const fullScreen = useMedia(fills ? narrow[fills] : 'not all');
  return (
    <Modal
      {...props}
      fullScreen={fullScreen}
      padding={0}
      classNames={{
        content: `${classes.content} stack gap-0`,
        header: `${classes.header} line-below ${header}`,
        body: 'fill-stack',
      }}
    />
  );
}

export const TallDialogFooter = ({ children }: { children: ReactNode }) => (
  <div className={`${classes.foot} stack gap-sm rigid pad-foot line-above`}>{children}</div>
);

type EditorDrawerProps = {
  opened: boolean;
  title: string;
  /** Width in pixels. On a phone the drawer is as wide as the screen. */
  width: number;
  /** Name of the changes that would be lost; null or absent if there are none. */
  unsaved?: string | null;
  /** Called on closing, if no changes would be lost. */
  onClose: () => void;
  /** Called after the operator has confirmed the loss of changes. */
  onDiscard?: () => void;
  /** Called after the drawer has disappeared. */
  onClosed?: () => void;
  closeLabel?: string;
  /** `close` asks first if changes would be lost. */
  children: (close: () => void) => ReactNode;
};

/** A drawer that asks before it closes with unsaved changes. */
export function EditorDrawer({
  opened,
  title,
  width,
  unsaved = null,
  children,
  ...props
}: EditorDrawerProps) {
  const { onClose, onDiscard, onClosed, closeLabel = 'Close' } = props;
  const [asking, setAsking] = useState(false);
  const fullScreen = useIsNarrow();
  const close = () => (unsaved === null ? onClose() : setAsking(true));
  return (
    <>
      <Drawer
        opened={opened}
        onClose={close}
        position="right"
        size={fullScreen ? '100%' : width}
        title={title}
        classNames={{
          content: 'stack gap-0',
          body: `${classes.body} fill-stack`,
          title: classes.title ?? '',
        }}
        closeButtonProps={{ 'aria-label': closeLabel }}
        onExitTransitionEnd={onClosed}
      >
        {children(close)}
      </Drawer>
      <ConfirmDialog
        opened={asking}
        title="Discard your changes?"
        confirm="Discard Changes"
        keep="Keep Editing"
        onConfirm={() => onDiscard?.()}
        onClose={() => setAsking(false)}
      >
        {unsaved}
      </ConfirmDialog>
    </>
  );
}

type SideDrawerProps = Pick<DrawerProps, 'opened' | 'title' | 'size' | 'onClose'> & {
  /** Whether a drawer on a phone is only as high as its content, so that the content above it stays visible. */
  isLow?: boolean;
  children: ReactNode;
};

/** A drawer at the side, on a phone at the bottom. Its controls are Tab stops of their own, even within a toolbar. */
export function SideDrawer({ size, isLow = false, children, ...props }: SideDrawerProps) {
  const narrow = useIsNarrow();
  return (
    <Drawer
      {...props}
      position={narrow ? 'bottom' : 'right'}
      size={narrow ? '85dvh' : size}
      // Mantine has no size for 'as high as the content'.
      {...(narrow && isLow && { styles: { content: { height: 'auto', maxHeight: '60dvh' } } })}
    >
      <TabStopsContext value={null}>{children}</TabStopsContext>
    </Drawer>
  );
}

type ViewDrawerProps = Pick<EditorDrawerProps, 'opened' | 'title' | 'width' | 'onClose'> & {
  children: ReactNode;
};

/** A drawer without input, which closes without a question. */
export const ViewDrawer = ({ children, ...props }: ViewDrawerProps) => (
  <EditorDrawer {...props}>{() => <EditorBody>{children}</EditorBody>}</EditorDrawer>
);

export const EditorBody = ({ children, className = '' }: { children: ReactNode; className?: string }) => (
  <div className={`${classes.scroll} fill-scroll pad ${className}`}>{children}</div>
);

export const EditorFooter = ({ children }: { children: ReactNode }) => (
  <div className="stack pad-foot line-above">{children}</div>
);

type DialogEndProps = ComponentProps<typeof HintedButton> & { onCancel: () => void };

export const DialogButtons = ({ onCancel, ...action }: DialogEndProps) => (
  <Group justify="flex-end" gap="xs">
    <PlainButton onClick={onCancel}>Cancel</PlainButton>
    <HintedButton {...action} />
  </Group>
);
