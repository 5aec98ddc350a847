"""Forms: the widget of each declared kind of value, and the values of a submitted form."""
