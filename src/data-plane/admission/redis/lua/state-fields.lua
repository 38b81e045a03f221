-- The fields of `State` in state.ts, by their places in an array, and the lengths of its windows.

local MINUTE, DAY = 60000, 86400000

local SEEN, MINUTE_START, MINUTE_USED, MINUTE_REFUSED_AT, DAY_START, DAY_USED, DAY_REFUSED_AT = 1, 2, 3, 4, 5, 6, 7
local STRIKE_COUNT, STRIKES_SINCE, SHADOW, BAN_FROM, BAN_UNTIL, BAN_LEVEL, BAN_MANUAL = 8, 9, 10, 11, 12, 13, 14
-- Missing while nothing was refused, and in what older gateways wrote.
local LAST_REFUSED_AT = 15

-- The fields of `MonthState`, after the time that the month has last seen, by their places in an array.
local M_SEEN, M_FROM, M_TILL, M_USED, M_REFUSED_AT = 1, 2, 3, 4, 5
