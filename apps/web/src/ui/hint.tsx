import { useMergedRef } from '@mantine/hooks';
import {
  type ComponentType,
  cloneElement,
  type DOMAttributes,
  lazy,
  type ReactElement,
  type Ref,
  Suspense,
  useRef,
} from 'react';
import type { HintBubbleProps } from './hint-bubble.tsx';
import { useHintOpened } from './use-hint-opened.ts';

/** Loads with the first hint. A control whose hint can't be loaded works as well. */
const HintBubble = lazy<ComponentType<HintBubbleProps>>(() =>
  import('./hint-bubble.tsx').then(
    (chunk) => ({ default: chunk.HintBubble }),
    () => ({ default: () => null }),
  ),
);

type Child = DOMAttributes<HTMLElement> & { ref?: Ref<HTMLElement>; 'aria-description'?: string };

type HintProps = {
  /** Null shows no hint. */
  text: string | null;
  children: ReactElement;
} & Pick<HintBubbleProps, 'maw' | 'w'>;

/** Explains a control on hover, focus and touch. */
export function Hint({ text, children, ...size }: HintProps) {
  const child = children as ReactElement<Child>;
  const target = useRef<HTMLElement>(null);
  const ref = useMergedRef(target, child.props.ref);
  const { opened, isWanted, ...handlers } = useHintOpened(target, text !== null, child.props);
  return (
    <>
      {cloneElement(child, {
        ...handlers,
        ref,
        ...(opened && text !== null && { 'aria-description': withHint(child.props, text) }),
      })}
      {isWanted && (
        <Suspense fallback={null}>
          <HintBubble {...size} text={text} target={target} opened={opened} />
        </Suspense>
      )}
    </>
  );
}

const withHint = (props: Child, text: string) => [props['aria-description'], text].filter(Boolean).join(' ');
