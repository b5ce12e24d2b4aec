import { Drawer } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm } from './feedback/confirm.tsx';
import { useNarrow } from './hooks/use-narrow.ts';
import classes from './overlays.module.css';

type EditorDrawerProps = {
  opened: boolean;
  title: string;
  /** The width in pixels. On a phone the drawer is as wide as the screen. */
  width: number;
  /** The changes that would be lost, as a sentence; null: none. */
  unsaved: string | null;
  /** Closes the drawer. Called when no changes would be lost. */
  onClose: () => void;
  /** Called when the operator has confirmed that the changes are lost. */
  onDiscard: () => void;
  /** Called after the drawer has disappeared. */
  onClosed?: () => void;
  /** EditorBody and EditorFooter. `close`: closes the drawer, after a question if changes would be lost. */
  children: (close: () => void) => ReactNode;
};

/** A drawer with a form. It asks before it closes with unsaved changes. */
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

/** A drawer that only shows something: nothing in it can be lost. */
export function ViewDrawer({ onClose, children, ...props }: ViewDrawerProps) {
  return (
    <EditorDrawer {...props} unsaved={null} onClose={onClose} onDiscard={onClose}>
      {() => <EditorBody>{children}</EditorBody>}
    </EditorDrawer>
  );
}

/** The part of the drawer that scrolls. */
export function EditorBody({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`${classes.scroll} fill-scroll pad ${className}`}>{children}</div>;
}

/** The part below it that stays. */
export function EditorFooter({ children }: { children: ReactNode }) {
  return <div className="stack pad-foot line-above">{children}</div>;
}
