import { Text } from '@mantine/core';
import classes from './mapping.module.css';

export function Samples({ values }: { values: readonly string[] }) {
  if (values.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No values in the first rows
      </Text>
    );
  }
  return (
    <ul className={`list row-wrap ${classes.samples} gap-tight size-xs`} aria-label="Sample values">
      {values.map((value) => (
        <li key={value} className="ellipsis" dir="auto" title={value}>
          {value}
        </li>
      ))}
    </ul>
  );
}
