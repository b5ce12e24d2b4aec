import { type DOMAttributes, type RefObject, useEffect, useRef, useState } from 'react';
import { useListener } from './hooks/use-listener.ts';

/** The specification's tooltip delay. */
const delayMs = 700;

type Handlers = Pick<
  DOMAttributes<HTMLElement>,
  'onMouseEnter' | 'onMouseMove' | 'onMouseLeave' | 'onFocus' | 'onBlur'
>;

/**
 * When the hint of `target` is open: once a pointer or a finger rests on it, and at once when the keyboard reaches it,
 * until it is left, on Escape and on a press elsewhere. `own` handlers of the control are called first.
 */
export function useHintOpened(target: RefObject<HTMLElement | null>, isOn: boolean, own: Handlers) {
  const [opened, setOpened] = useState(false);
  /** The bubble loads while the delay runs. */
  const [isWanted, setWanted] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The pointer came when there was no hint. */
  const isMissed = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const whileOpened = { isOn: opened };
  useListener('document', 'keydown', ({ key }) => key === 'Escape' && setOpened(false), whileOpened);
  useListener(
    'document',
    'pointerdown',
    ({ target: pressed }) => target.current?.contains(pressed as Node) || setOpened(false),
    whileOpened,
  );
  const open = (afterMs: number) => {
    isMissed.current = !isOn;
    if (!isOn) return;
    setWanted(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpened(true), afterMs);
  };
  const leave = () => {
    isMissed.current = false;
    clearTimeout(timer.current);
    setOpened(false);
  };
  return {
    opened: opened && isOn,
    isWanted,
    onMouseEnter: (event) => {
      own.onMouseEnter?.(event);
      open(delayMs);
    },
    onMouseMove: (event) => {
      own.onMouseMove?.(event);
      if (isMissed.current) open(delayMs);
    },
    onMouseLeave: (event) => {
      own.onMouseLeave?.(event);
      leave();
    },
    onFocus: (event) => {
      own.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) open(0);
    },
    onBlur: (event) => {
      own.onBlur?.(event);
      leave();
    },
  } satisfies Handlers & { opened: boolean; isWanted: boolean };
}
