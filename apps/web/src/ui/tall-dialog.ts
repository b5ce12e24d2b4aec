import classes from './tall-dialog.module.css';

/**
 * Class names of a dialog as high as the window, whose header and foot stay while a part between them scrolls. The
 * element inside of its body has the body's class, too. `header`: more of the dialog's own.
 */
export const tallDialog = (header = '') => ({
  content: classes.content ?? '',
  header: `${classes.header} ${header}`,
  body: classes.body ?? '',
});

/** The class name of the last part of such a dialog: what has failed, and its buttons. */
export const tallDialogFoot = classes.foot;
