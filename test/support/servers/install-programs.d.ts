interface Program {
  /** The name in messages, with the oldest version that is sufficient. */
  readonly name: string;
  isThere(): boolean;
  /** The name of the Debian package. */
  readonly apt: string;
  /** The name of the Homebrew package. Undefined if there is none. */
  readonly brew?: string;
  /** Instructions for installing the program on other systems. */
  readonly others: string;
}

export function installPrograms(programs: readonly Program[]): void;
export function rootPrefix(): string[] | undefined;
export function isOnPath(program: string): boolean;
export function findOnPath(program: string): string | undefined;
