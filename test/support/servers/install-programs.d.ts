interface Program {
  /** As in messages, with the oldest version that is enough. */
  readonly name: string;
  isThere(): boolean;
  /** Name of the Debian package. */
  readonly apt: string;
  /** Name of the Homebrew package; absent if there is none. */
  readonly brew?: string;
  /** How to install it elsewhere. */
  readonly others: string;
}

export function installPrograms(programs: readonly Program[]): void;
export function rootPrefix(): string[] | undefined;
export function isOnPath(program: string): boolean;
export function findOnPath(program: string): string | undefined;
