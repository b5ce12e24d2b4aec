import classes from './tall-dialog.module.css';

/**
 * Class names of a dialog as high as the window, whose header and buttons stay while a part between them scrolls. The
 * element inside of its body has the body's class, too. `header`: more of the dialog's own.
 */
export const tallDialog = (header: string | undefined) => ({
  content: classes.content ?? '',
  header: `${classes.header} ${header}`,
  body: classes.body ?? '',
});
