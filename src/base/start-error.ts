/** Something outside the program keeps it from starting. The message is one line that says what, where, and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
