import { type ComponentType, type ReactNode, Suspense, useLayoutEffect, useState } from 'react';
import { lazily } from '../lib/load-chunk.ts';
import { useEver } from './hooks/use-ever.ts';

// Both make components. They are called where modules begin, so each component is made once.

/**
 * A part of a screen whose chunk loads when the part is first drawn. `meanwhile` is in its place until then: always the
 * same, or drawn from the part's properties.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ReactNode | ((props: P) => ReactNode) = null,
) {
  const Part = lazily(load);
  return (props: P) => (
    <Suspense fallback={typeof meanwhile === 'function' ? meanwhile(props) : meanwhile}>
      <Part {...props} />
    </Suspense>
  );
}

type Opens = { opened: boolean };

/**
 * A dialog, drawer or question whose chunk loads when it first opens. It stays mounted from then on, so that it can
 * close with its transition and return the focus to what had it when `opened` changed.
 */
export function overlay<P extends Opens>(load: () => Promise<ComponentType<P>>) {
  const Part = later(async () => opening(await load()));
  return (props: P) => (useEver(props.opened) ? <Part {...props} /> : null);
}

const opening =
  <P extends Opens>(Part: ComponentType<P>) =>
  (props: P) => <Part {...props} opened={useOpened(props.opened)} />;

/**
 * `opened`, one render later. Mantine returns the focus only to what had it when `opened` changed, and looks at it in
 * an effect: in this render that is before the dialog takes the focus.
 */
function useOpened(opened: boolean): boolean {
  const [isOpened, setOpened] = useState(false);
  useLayoutEffect(() => setOpened(opened), [opened]);
  return isOpened;
}
