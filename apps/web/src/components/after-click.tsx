import { type ReactElement, type ReactNode, Suspense, useState } from 'react';

type AfterClickProps = {
  /** Draws the button that stands for `children` until their chunk is there. */
  button: (onClick: () => void) => ReactElement;
  children: ReactNode;
};

/** Draws a button, and `children` in its place once it has been clicked. For what loads by a click, such as a menu. */
export function AfterClick({ button, children }: AfterClickProps) {
  const [wanted, setWanted] = useState(false);
  const placeholder = button(() => setWanted(true));
  return wanted ? <Suspense fallback={placeholder}>{children}</Suspense> : placeholder;
}
