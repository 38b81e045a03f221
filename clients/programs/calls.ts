/**
 * Makes the requests that the run asks for, all at once, and prints a line for each that ended: what the application
 * that uses the client would see.
 */
export async function makeCalls(call: () => Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: Number(process.env['AT_ONCE']) }, async () => {
      try {
        await call();
        process.stdout.write('served\n');
      } catch (error) {
        process.stdout.write('failed\n');
        process.stderr.write(`${String(error).split('\n')[0]}\n`);
      }
    }),
  );
}

/** Where the API is, and the key to call it with. */
export const apiUrl = process.env['API_URL'] ?? '';
export const apiKey = process.env['API_KEY'] ?? '';
