import { splitName } from './split-name.ts';

/** A file's name whose end stays where there is no room. The element around it has the class `cut` of the same name. */
export function CutName({ name }: { name: string }) {
  const { start, end } = splitName(name);
  return (
    <>
      <span>{start}</span>
      <span>{end}</span>
    </>
  );
}
