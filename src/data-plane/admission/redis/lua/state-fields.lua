-- The indexes of the fields of `State` (state.ts) in an array, and the lengths of the windows in ms.

local MINUTE, DAY = 60000, 86400000

local SEEN, MINUTE_START, MINUTE_USED, MINUTE_REFUSED_AT, DAY_START, DAY_USED, DAY_REFUSED_AT = 1, 2, 3, 4, 5, 6, 7
local STRIKE_COUNT, STRIKES_SINCE, SHADOW, BAN_FROM, BAN_UNTIL, BAN_LEVEL, BAN_MANUAL = 8, 9, 10, 11, 12, 13, 14
-- Missing if no request was ever refused, or if an older gateway wrote the state.
local LAST_REFUSED_AT = 15

-- The indexes of the fields of `MonthState` in an array, and of the last time seen, which only this array has.
local M_SEEN, M_FROM, M_TILL, M_USED, M_REFUSED_AT = 1, 2, 3, 4, 5
