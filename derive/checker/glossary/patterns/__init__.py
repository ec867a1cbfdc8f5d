"""What a line, a table or a listing says: patterns of items that give a letter its meaning or a size its value."""
