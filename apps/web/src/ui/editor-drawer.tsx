import { Drawer } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm } from './feedback/confirm.tsx';
import { useNarrow } from './hooks/use-narrow.ts';
import classes from './overlays.module.css';

type EditorDrawerProps = {
  opened: boolean;
  title: string;
  /** Pixels. On a phone the drawer is as wide as the screen. */
  width: number;
  /** Names the changes that would be lost; null: none. */
  unsaved: string | null;
  /** Called when no changes would be lost. */
  onClose: () => void;
  /** Called when the operator has confirmed the loss. */
  onDiscard: () => void;
  /** Called after the drawer has disappeared. */
  onClosed?: () => void;
  /** `close` asks first if changes would be lost. */
  children: (close: () => void) => ReactNode;
};

/** Asks before it closes with unsaved changes. */
export function EditorDrawer({ opened, title, width, unsaved, children, ...props }: EditorDrawerProps) {
  const { onClose, onDiscard, onClosed } = props;
  const [asking, setAsking] = useState(false);
  const fullScreen = useNarrow();
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
        onExitTransitionEnd={onClosed}
      >
        {children(close)}
      </Drawer>
      <Confirm
        opened={asking}
        title="Discard your changes?"
        confirm="Discard Changes"
        keep="Keep Editing"
        onConfirm={() => {
          setAsking(false);
          onDiscard();
        }}
        onClose={() => setAsking(false)}
      >
        {unsaved}
      </Confirm>
    </>
  );
}

type ViewDrawerProps = Pick<EditorDrawerProps, 'opened' | 'title' | 'width' | 'onClose'> & {
  children: ReactNode;
};

/** Nothing in it can be lost. */
export function ViewDrawer({ onClose, children, ...props }: ViewDrawerProps) {
  return (
    <EditorDrawer {...props} unsaved={null} onClose={onClose} onDiscard={onClose}>
      {() => <EditorBody>{children}</EditorBody>}
    </EditorDrawer>
  );
}

export function EditorBody({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`${classes.scroll} fill-scroll pad ${className}`}>{children}</div>;
}

export function EditorFooter({ children }: { children: ReactNode }) {
  return <div className="stack pad-foot line-above">{children}</div>;
}
